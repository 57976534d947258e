"""Fixtures and helpers for the tests of GNU Radio flowgraphs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import jsonschema
import pytest
from weir.cli import main
from weir.interop.grc.reading import block_files
from weir.interop.grc.reading.flowgraph import Flowgraph, read_grc
from weir.model.document import jsontext, shape

DATA = Path(__file__).parent / "data"
INSTALLED = Path("/usr/share/gnuradio/examples")
#: A minimal flowgraph; `grc()` adds blocks and connections.
HEAD = "options: {parameters: {id: made, generate_options: no_gui, output_language: python}, states: {}}\n"

#: Translates every block that Weir has, beside blocks that it lacks. The default keeps all of them as GNU Radio's own.
STUBS = ("--stub", "keep")

needs_grcc = pytest.mark.skipif(not shutil.which("grcc"), reason="grcc is not installed: apt-get install gnuradio")
needs_examples = pytest.mark.skipif(not INSTALLED.is_dir(), reason="the examples of gnuradio are not installed")


def grc(blocks: list[dict], connections: list, metadata: object = None) -> bytes:
    """Return the text of a flowgraph file; JSON is YAML.

    A block is {name, id, **parameters}, with `_state` and `_at` for its state and position, and other `_states`.
    """
    entries = [{"name": b["name"], "id": b["id"],
                "parameters": {k: v for k, v in b.items() if k not in ("name", "id") and not k.startswith("_")},
                "states": {"coordinate": b.get("_at", [8, 8]), "rotation": 0, "state": b.get("_state", "enabled"),
                           **b.get("_states", {})}}
               for b in blocks]
    return (f"{HEAD}blocks: {json.dumps(entries)}\nconnections: {json.dumps(connections)}\n"
            f"metadata: {json.dumps(metadata or {'file_format': 1})}\n").encode()


NULL = {"name": "source", "id": "blocks_null_source", "type": "float"}
SINK = {"name": "sink", "id": "blocks_null_sink", "type": "float"}


def through(*blocks: dict, of: str = "float") -> tuple[list[dict], list]:
    """Return null source -> blocks -> null sink."""
    row = [NULL | {"type": of}, *blocks, SINK | {"type": of}]
    return row, [[a["name"], "0", b["name"], "0"] for a, b in zip(row, row[1:])]


def made(tmp_path: Path, capsys: pytest.CaptureFixture, blocks: list[dict], connections: list, *words: str
         ) -> tuple[dict, dict, dict]:
    """Return the answer, the project, and its blocks by id."""
    file = tmp_path / "made.grc"
    file.write_bytes(grc(blocks, connections))
    answer, document = imported(capsys, file, *words)
    return answer, document, {block["id"]: block for block in document["graph"]["blocks"]}


@contextmanager
def fresh_block_files() -> Iterator[None]:
    """Read GNU Radio's block files anew, now and afterwards."""
    def forget() -> None:
        block_files.block_files.cache_clear()
        block_files.block_file.cache_clear()

    forget()
    try:
        yield
    finally:
        forget()


def errors(answer: dict) -> list[str]:
    return [fault["code"] for fault in answer["diagnostics"] if fault["severity"] == "error"]


def answer_of(capsys: pytest.CaptureFixture, *words: str | Path) -> dict:
    """Return a successful verb's --json answer, checked against its schema."""
    code = main([*map(str, words), "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert code == 0, answer
    jsonschema.Draft202012Validator(shape.schema("import")).validate(answer)
    return answer


def imported(capsys: pytest.CaptureFixture, file: Path, *words: str) -> tuple[dict, dict]:
    """Return the answer and the project."""
    answer = answer_of(capsys, "import", file, "-o", "-", *words)
    document = json.loads(answer["document"])
    assert jsontext.write(document) == answer["document"], "the project is not in its canonical text"
    return answer, document


def exported(capsys: pytest.CaptureFixture, project: Path, *words: str) -> tuple[dict, Flowgraph]:
    answer = answer_of(capsys, "export", project, "-o", "-", *words)
    return answer, read_grc(answer["document"].encode())


def meaning(flow: Flowgraph) -> tuple:
    """Return everything that a flowgraph states, independent of the order in its file."""
    return (sorted((b.name, b.id, sorted(b.parameters.items()), sorted(map(str, b.states.items())))
                   for b in flow.blocks), sorted(c.ends for c in flow.connections),
            sorted(flow.options.parameters.items()), sorted(map(str, flow.metadata.items())))
