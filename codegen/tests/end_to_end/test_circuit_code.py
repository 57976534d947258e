"""What comes out of a chain whose items stay where they are from worker to worker is what one thread makes of it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from test_static import series
from weir import cli

STAGES = [{"id": f"s{i}", "type": "saxpy", "parameters": {"a": 0.75 + i / 100, "b": 0.5}} for i in range(4)]
#: The smallest circuits that there may be, of short quanta: everything is written over thousands of times.
SMALL = {"scheduler": "circuit", "chunk_items": 64, "parameters": {"quanta": 1}, "build": {"optimisation": "O1"}}
DEPLOYMENTS = {
    "alone": {"scheduler": "single_thread", "build": {"optimisation": "O1"}},
    "two": {**SMALL, "workers": 2},
    "around": {**SMALL, "workers": 3, "wait": "park", "placement": {"strategy": "round_robin"}},
}


@pytest.fixture(scope="module")
def digests(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """By deployment, those of three runs."""
    folder = tmp_path_factory.mktemp("circuit")
    document = series(*STAGES) | {"deployments": [{"name": name, **it} for name, it in DEPLOYMENTS.items()]}
    (folder / "chain.weir.json").write_text(json.dumps(document))
    found = {}
    for name in DEPLOYMENTS:
        built = folder / name
        assert cli.main(["generate", "--build", str(folder / "chain.weir.json"), "--deployment", name, "--json",
                         "--output", str(built)]) == 0
        [program] = [path for path in built.rglob("test") if path.is_file()]
        found[name] = {_digest(program, folder / f"{name}-{run}") for run in range(3)}
    return found


def _digest(program: Path, folder: Path) -> str:
    run = subprocess.run([program, "--items", "1000003", "--trace", "off", "--json", "--out", folder],
                         capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    [sink] = json.loads(run.stdout)[0]["sinks"]
    assert sink["items"] == 1_000_003
    return sink["digest"]


@pytest.mark.parametrize("name", ["two", "around"])
def test_a_circuit_computes_what_one_thread_does(name: str, digests: dict[str, set[str]]) -> None:
    assert len(digests["alone"]) == 1 and digests[name] == digests["alone"]
