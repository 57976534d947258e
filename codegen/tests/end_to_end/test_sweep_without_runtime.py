"""Test a sweep with a contender whose runtime is not installed."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import jsonschema
from lttng_world import environment
from planning import UNOPTIMISED, chain
from weir.model.document import shape
from weir_process import weir


def test_it_names_the_runtime_first_and_ends_with_4_unless_fitting(tmp_path: Path) -> None:
    world, file, cargo = environment(tmp_path), tmp_path / "p.weir.json", tmp_path / "bin" / "cargo"
    file.write_text(json.dumps(chain(1, run={"items": 1000, "trace": {"backend": "off"}}, deployments=[
        {"name": "own", "scheduler": "single_thread", "build": UNOPTIMISED},
        {"name": "peer", "scheduler": "futuresdr_flow"}])))
    cargo.parent.mkdir()
    cargo.write_text("#!/bin/sh\necho cargo 1.0.0\n")
    cargo.chmod(0o755)
    world.update(PATH=f"{cargo.parent}:{os.environ['PATH']}", WEIR_SKIP_SETUP="1")

    def sweep(*words: object, code: int) -> tuple[dict, list[str]]:
        done = subprocess.run(weir("sweep", file, "--vary", "deployment=*", "--vary", "seed=1,2", "--repetitions", "1",
                                   "--repeats", "0", "--json", *words),
                              env=world, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        assert done.returncode == code, done.stderr
        value = json.loads(done.stdout)
        jsonschema.Draft202012Validator(shape.schema("sweep_answer")).validate(value)
        assert [(it["values"]["deployment"], it["code"]) for it in value["left_out"]] == [
            ("peer", "E_RUNTIME_MISSING")] * 2
        return value, done.stderr.splitlines()

    planned, _ = sweep("--dry-run", code=0)
    assert [it["values"]["deployment"] for it in planned["points"]] == ["own", "own"] and planned["runs"] == 2
    measured, said = sweep("--out", tmp_path / "out", code=4)
    assert said[0].startswith("weir: left out: peer (2 points): ") and "cargo 1.89" in said[0]
    assert "--fitting" in said[-1] and (measured["state"], measured["ok"]) == ("complete", 2)
    sweep("--out", tmp_path / "out", "--resume", code=4)
    accepted, said = sweep("--out", tmp_path / "fitting", "--fitting", code=0)
    assert accepted["ok"] == 2 and said[0].startswith("weir: left out: peer (2 points): ")
