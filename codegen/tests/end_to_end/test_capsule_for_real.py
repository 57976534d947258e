"""Pack a sweep with a user's block, and measure it again from the capsule alone, with real programs."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import jsonschema
import pytest
from lttng_world import environment
from planning import chain
from weir.model.document import shape
from weir_process import weir

pytestmark = pytest.mark.slow


def done(words: list, world: dict, where: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, words)), env=world, cwd=where, capture_output=True, text=True, timeout=600,
                          stdin=subprocess.DEVNULL)


def test_a_sweep_is_packed_and_measured_again_where_nothing_but_the_capsule_is(tmp_path: Path) -> None:
    world, first, second = environment(tmp_path), tmp_path / "first", tmp_path / "second"
    first.mkdir(), second.mkdir()
    assert done(weir("new", "block", "my_block", "-o", first / "blocks"), world, first).returncode == 0
    document = {**chain(2, "my_block"), "name": "mine",
                "deployments": [{"name": "one", "scheduler": "flow"}, {"name": "other", "scheduler": "static"}],
                "run": {"items": 20_000_000, "warmup_items": 1_000_000, "trace": {"backend": "off"}}}
    (first / "mine.weir.json").write_text(json.dumps(document))
    swept = done(weir("sweep", "mine.weir.json", "--vary", "deployment=one,other", "--block-path", "blocks",
                      "--repeats", "0",
                      "--out", "out"), world, first)
    assert swept.returncode == 0, swept.stderr
    packed = done(weir("export", "out", "-o", second / "c.zip"), world, first)
    assert packed.returncode == 0, packed.stderr
    with zipfile.ZipFile(second / "c.zip") as archive:
        assert "code/blocks/my_block/my_block.hpp" in archive.namelist()
        assert not [name for name in archive.namelist() if name.startswith("sources/block-library/")
                    and "my_block" in name]
    shutil.rmtree(first)

    refused = done(weir("reproduce", "c.zip"), world, second)
    assert (refused.returncode == 2 and "E_UNTRUSTED" in refused.stderr
            and [it.name for it in second.iterdir()] == ["c.zip"])
    again = done(weir("reproduce", "c.zip", "--trust", "--json"), world, second)
    value = json.loads(again.stdout)
    jsonschema.Draft202012Validator(shape.schema("reproduce")).validate(value)
    assert again.returncode == {"agrees": 0, "differs": 1, "not enough data": 4}[value["verdict"]], again.stderr
    claim, = (it for it in value["claims"] if it["quantity"] == "throughput_items_per_s")
    assert claim["contenders"] == ["one", "other"] and claim["there"]["blocks"] == claim["here"]["blocks"] == 8
    assert claim["change"]["interval"] and value["not_tried"] == value["answers"] == []
    assert "2 of 2 programs are identical to the capsule's" in value["notes"]
    runs = [json.loads(file.read_text()) for file in (second / "c-reproduced/sweep").glob("*/results.json")]
    assert len(runs) == 16 and all(run["status"] == "ok" and run["verification"]["ok"] for run in runs)
