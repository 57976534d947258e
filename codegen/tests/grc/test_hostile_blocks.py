"""Hostile block files and hosted flowgraphs: no verb that opens, checks, plans or draws them executes anything."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from grc_world import fresh_block_files, grc, imported
from weir.cli import main
from weir.interop.grc.reading import block_files

MARK = Path("/tmp/weir-hostile-block-was-executed")
EVIL = f"__import__('os').system('touch {MARK}')"
HEAD = "label: L\nflags: [python]\nparameters:\n- {id: p, dtype: raw, default: '1'}\n"
STREAM = "- {domain: stream, dtype: float"
#: What follows the id in a block file. Each has one output, as far as it can be told.
FILES = {
    "in_multiplicity": f"{HEAD}outputs:\n{STREAM}, multiplicity: \"${{ {EVIL} }}\"}}\n",
    "in_dtype": f"{HEAD}outputs:\n- {{domain: stream, dtype: \"${{ {EVIL} }}\"}}\n",
    "in_vlen": f"{HEAD}outputs:\n{STREAM}, vlen: \"${{ [c for c in ().__class__.__base__.__subclasses__()] }}\"}}\n",
    "in_optional": f"{HEAD}outputs:\n{STREAM}, optional: \"${{ {EVIL} }}\"}}\n",
    "in_hide": f"label: L\nparameters:\n- {{id: p, dtype: raw, hide: \"${{ {EVIL} }}\"}}\noutputs:\n{STREAM}}}\n",
    "in_default": f"label: L\nparameters:\n- {{id: p, dtype: raw, default: \"{EVIL}\"}}\noutputs:\n{STREAM}}}\n",
    "in_asserts": f"{HEAD}outputs:\n{STREAM}}}\nasserts: [\"${{ {EVIL} }}\"]\n",
    "in_templates": f"{HEAD}outputs:\n{STREAM}}}\ntemplates:\n  imports: \"import os; {EVIL}\"\n  make: |-\n"
                    f"    % import os\n    <% {EVIL} %>\n    ${{ {EVIL} }}\n  callbacks: [\"{EVIL}\"]\n",
    "in_cpp": f"{HEAD}outputs:\n{STREAM}}}\ncpp_templates: {{includes: ['#include \"x\"'], make: \"{EVIL}\"}}\n",
    "a_number_of_ports": f"{HEAD}outputs:\n{STREAM}, multiplicity: \"1000000000\"}}\n",
    "a_power_of_ports": f"{HEAD}outputs:\n{STREAM}, multiplicity: \"${{ 9**9**9 }}\"}}\n",
    "a_huge_vector": f"{HEAD}outputs:\n{STREAM}, vlen: \"${{ 1 << 10**9 }}\"}}\n",
    "as_object": f"label: !!python/object/apply:os.system ['touch {MARK}']\noutputs:\n{STREAM}}}\n",
    "as_module": f"label: !!python/module:antigravity\noutputs:\n{STREAM}}}\n",
    "as_new": f"label: !!python/object/new:subprocess.Popen [['touch', '{MARK}']]\noutputs:\n{STREAM}}}\n",
    "as_bomb": "a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b]\n",
    "as_loop": "outputs: &o [*o]\n",
    "as_depth": "outputs: " + "[" * 50_000 + "\n",
    "as_list": "- 1\n",
    "as_bytes": "\0\1\2\ud800",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Write the block files, and let them be those of an installed GNU Radio."""
    made = tmp_path / "blocks"
    made.mkdir()
    for name, text in FILES.items():
        (made / f"{name}.block.yml").write_bytes(f"id: {name}\n{text}".encode("utf-8", "surrogatepass"))
    (made / "evil.tree.yml").write_text(f"'[X]':\n- !!python/object/apply:os.system ['touch {MARK}']\n")
    monkeypatch.setattr(block_files, "FOLDERS", (made,))
    with fresh_block_files():
        yield made


def test_no_verb_executes_a_block_file_or_a_flowgraph(folder, tmp_path, capsys):
    blocks = [{"name": f"b_{name}", "id": name, "p": EVIL} for name in FILES]
    blocks += [{"name": f"s_{name}", "id": "blocks_null_sink", "type": "float"} for name in FILES]
    blocks += [{"name": "code", "id": "epy_block", "_source_code": f"import os\n{EVIL}"},
               {"name": "module", "id": "epy_module", "source_code": EVIL},
               {"name": "load", "id": "import", "imports": f"import os; {EVIL}"},
               {"name": "snippet", "id": "snippet", "section": "main_after_init", "code": EVIL},
               {"name": "v", "id": "variable", "value": EVIL}]
    file, project = tmp_path / "x.grc", tmp_path / "x.weir.json"
    file.write_bytes(grc(blocks, [[f"b_{name}", "0", f"s_{name}", "0"] for name in FILES]))
    begun = time.monotonic()
    _, document = imported(capsys, file, "--stub", "host")
    drawn = {entry["gnuradio"]["name"] for entry in document["graph"]["blocks"]}
    assert {f"b_{name}" for name in FILES} <= drawn
    project.write_text(json.dumps(document), encoding="utf-8")
    for words in (["validate", str(project), "--json", "--values"], ["plan", str(project), "--json"],
                  ["validate", str(file)], ["plan", str(file)], ["catalog", "--json", "--gnuradio"],
                  ["generate", str(project), "-o", str(tmp_path / "made")],
                  ["export", str(project), "-o", str(tmp_path / "x.svg")],
                  ["export", str(project), "-o", str(tmp_path / "back.grc")]):
        assert main(words) in (0, 1), words
        capsys.readouterr()
        assert not MARK.exists(), words
    assert time.monotonic() - begun < 60


def test_a_flowgraph_that_consists_of_itself_is_only_read(folder, tmp_path, capsys):
    """The hierarchical blocks of two files contain each other."""
    for name, other in (("first", "second"), ("second", "first")):
        text = grc([{"name": "inner", "id": other}, {"name": "sink", "id": "blocks_null_sink", "type": "float"}],
                   [["inner", "0", "sink", "0"]]).decode()
        (tmp_path / f"{name}.grc").write_text(text.replace("generate_options: no_gui", "generate_options: hb"))
        (folder / f"{name}.block.yml").write_text(
            f"id: {name}\nlabel: {name}\noutputs:\n{STREAM}}}\ngrc_source: {tmp_path / name}.grc\n")
    _, document = imported(capsys, tmp_path / "first.grc", "--stub", "host")
    assert len(document["graph"]["blocks"]) == 2
    assert main(["plan", str(tmp_path / "first.grc")]) in (0, 1)
