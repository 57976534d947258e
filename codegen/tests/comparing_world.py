"""Stored runs of two sides, changes to them, and the answers of `weir compare`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from stored_runs import store
from weir import cli
from weir.model.document import jsontext, shape

VALIDATOR = jsonschema.Draft202012Validator(shape.schema("compare"))


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip fsync: there are hundreds of run directories, and none has to survive a power cut."""
    monkeypatch.setattr("os.fsync", lambda handle: None)


def runs(out: Path, factor: float = 1.0, *, set_id: int = 1, count: int = 8, noise: float = 0.003, **options) -> Path:
    """Store `count` runs of one set around factor x 1 G items/s. Another factor means another program."""
    rng = np.random.default_rng(round(factor * 1e6) + set_id)
    options["changes"] = {"binary_hash": f"{round(factor * 1e6):064x}", **options.get("changes", {})}
    for i in range(count):
        options.setdefault("paced", False)
        store(out, throughput=1e9 * factor * float(np.exp(noise * rng.standard_normal())), repetition=i, seed=set_id,
              **options)
    return out


def compared(capsys: pytest.CaptureFixture, *words: object) -> tuple[int, dict]:
    code = cli.main(["compare", *map(str, words), "--json"])
    answer = json.loads(capsys.readouterr().out)
    VALIDATOR.validate(answer)
    return code, answer


def edited(folder: Path, change: Callable[[dict], object], file: str = "results.json", only: int | None = None) -> Path:
    """Change a file of all runs, or of the run at one index."""
    for i, path in enumerate(sorted(folder.glob(f"*/{file}"))):
        if only in (None, i):
            document = json.loads(path.read_text())
            change(document)
            path.write_text(jsontext.write(document))
    return folder


def of(capsys: pytest.CaptureFixture, a: Path, b: Path, *words: str) -> tuple[int, dict]:
    """Return the exit code and the only pair of deployments."""
    code, answer = compared(capsys, a, b, *words)
    [one] = answer["comparisons"]
    return code, one
