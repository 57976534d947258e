"""Compare the digests of all sinks of every example, under every scheduler of every runtime that can run it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from runtimes import LACKING, want
from weir import ROOT
from weir.diagnostics import ERROR, WeirError, has_errors
from weir.engine.pipeline import Pipeline
from weir.model.catalog import load_catalog

ITEMS = 10_007
FILES = sorted((ROOT / "examples").glob("*.weir.json"))
CATALOG = load_catalog()


def table(file: Path, folder: Path) -> tuple[dict[str, dict[str, tuple[int, str]]], dict[str, str]]:
    """Return scheduler -> sink -> items and digest of counted data, and why the other schedulers cannot run it."""
    document = {**json.loads(file.read_text()), "sweeps": []}
    found: dict[str, dict[str, tuple[int, str]]] = {}
    refused: dict[str, str] = {}
    for scheduler in CATALOG.schedulers.values():
        target, *_ = CATALOG.targets_of(scheduler)
        if target.id in LACKING:
            want(target.id)
        it = {**document, "deployments": [{"name": "mine", "scheduler": scheduler.id, "build": {"optimisation": "O1"}}]}
        text = json.dumps(it).encode()
        pipeline = Pipeline.open(text, directory=file.parent)
        faults = pipeline.checked.diagnostics
        try:
            plan = None if has_errors(faults) else pipeline.plan("mine").plan
        except WeirError as error:
            faults = error.diagnostics
            plan = None
        if plan is None:
            refused[scheduler.id] = next(it.code for it in faults if it.severity == ERROR)
            continue
        built = pipeline.build(plan)
        out = folder / scheduler.id
        subprocess.run([built.binary, "--verify", "--items", str(ITEMS), "--trace", "off", "--out", out],
                       cwd=file.parent,
                       check=True, capture_output=True, timeout=120)
        results = json.loads((out / "results.json").read_text())
        assert results["status"] == "ok", (scheduler.id, results["reasons"])
        found[scheduler.id] = {sink["id"]: (sink["items"], sink["digest"]) for sink in results["verification"]["sinks"]}
    return found, refused


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])
def test_every_scheduler_of_every_runtime_gives_the_same(file: Path, tmp_path: Path) -> None:
    found, refused = table(file, tmp_path)
    print(f"\n{file.name}")
    for scheduler, sinks in found.items():
        print(f"  {scheduler:24}", *(f"{name}: {items} {digest}" for name, (items, digest) in sinks.items()))
    for scheduler, code in refused.items():
        print(f"  {scheduler:24} {code}")
    assert refused.keys() | found.keys() == CATALOG.schedulers.keys()
    assert set(refused.values()) <= {"E_RATE_NOT_STATIC", "E_RUNTIME_RATE", "E_SCHEDULER_BLOCK"}
    assert {tuple(sorted(sinks.items())) for sinks in found.values()} == {tuple(sorted(found["single_thread"].items()))}
