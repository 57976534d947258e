"""A target outside the tree, projects for it, and verbs of the command line, for tests of targets."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from planning import project
from weir import cli
from weir.engine.pipeline import Pipeline

TARGETS = Path(__file__).parent / "targets"
NUMPY = TARGETS / "numpy_app"


def small(items: int = 5000, constant: float = 2, block: str = "multiply_const", **more) -> dict:
    """Return a project under the numpy target's scheduler: counter_source -> head -> gain -> digest_sink of f32."""
    gain = {"id": "gain", "type": block}
    if block == "multiply_const":
        gain["parameters"] = {"constant": constant}
    return project([{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
                    {"id": "limit", "type": "head"}, gain, {"id": "sink", "type": "digest_sink"}],
                   ["source.out > limit.in", "limit.out > gain.in", "gain.out > sink.in"],
                   **{"deployments": [{"name": "np", "scheduler": "in_order"}], "run": {"items": items}, **more})


def written(folder: Path, document: dict) -> Path:
    file = folder / "p.weir.json"
    file.write_text(json.dumps(document))
    return file


def copied(folder: Path, name: str = "numpy_app", **changes: object) -> Path:
    """Copy the numpy target into `folder` under another id, and return its folder."""
    mine = Path(shutil.copytree(NUMPY, folder / name, ignore=shutil.ignore_patterns("__pycache__")))
    file = mine / "target.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "id": name, **changes}))
    return mine


def weir(*words: object) -> int:
    return cli.main([str(word) for word in words])


def answer(capsys: pytest.CaptureFixture, *words: object, code: int = 0) -> object:
    """Return the JSON that a verb prints."""
    capsys.readouterr()
    assert weir(*words, "--json") == code, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def ends_of_all_kinds() -> tuple[list[dict], list[str]]:
    """Return blocks and connections with all kinds of ends.

    Two ends of one source, one of them later by more than a buffer; branches of unequal length; a join that ends while
    one of its sources continues for another sink.
    """
    source = {"type": "counter_source", "parameters": {"item_type": "i32"}}
    blocks = [{"id": "many", **source}, {"id": "early", "type": "copy"}, {"id": "first", "type": "head"},
              {"id": "x", "type": "digest_sink"},
              {"id": "late", "type": "copy"}, {"id": "last", "type": "head", "parameters": {"items": 200_000}},
              {"id": "y", "type": "digest_sink"},
              {"id": "even", **source}, {"id": "all", "type": "head"}, {"id": "near", "type": "digest_sink"},
              {"id": "way", "type": "copy", "repeat": 2},
              {"id": "far", "type": "digest_sink"},
              {"id": "on", **source}, {"id": "few", "type": "head", "parameters": {"items": 60_000}},
              {"id": "both", "type": "add"},
              {"id": "few_sink", "type": "digest_sink"}, {"id": "on_way", "type": "copy"},
              {"id": "on_sink", "type": "digest_sink"}]
    return blocks, ["many.out > early.in", "early.out > first.in", "first.out > x.in", "many.out > late.in",
                    "late.out > last.in", "last.out > y.in",
                    "even.out > all.in", "all.out > near.in", "all.out > way.in", "way.out > far.in",
                    "on.out > few.in", "few.out > both.in0", "on.out > both.in1", "both.out > few_sink.in",
                    "on.out > on_way.in", "on_way.out > on_sink.in"]


def run_untraced(project: Path, deployment: str, out: Path) -> dict:
    """Run a deployment's program once more without a trace, and return the results."""
    pipeline = Pipeline.open(project)
    binary = pipeline.build(pipeline.plan(deployment).plan).binary
    subprocess.run([binary, "--trace", "off", "--out", out], check=True, capture_output=True)
    return json.loads((out / "results.json").read_text())
