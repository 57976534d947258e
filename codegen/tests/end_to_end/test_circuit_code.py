"""Check that chains whose items stay in place between workers give the items of one thread."""

from __future__ import annotations

import pytest
from planning import UNOPTIMISED
from test_static import series
from weir_process import answer, program_of

STAGES = [{"id": f"s{i}", "type": "saxpy", "parameters": {"a": 0.75 + i / 100, "b": 0.5}} for i in range(4)]
#: The smallest possible circuits, with short quanta: all memory is overwritten thousands of times.
SMALL = {"scheduler": "circuit", "chunk_items": 64, "parameters": {"quanta": 1}, "build": UNOPTIMISED}
DEPLOYMENTS = {
    "alone": {"scheduler": "single_thread", "build": UNOPTIMISED},
    "two": {**SMALL, "workers": 2},
    "around": {**SMALL, "workers": 3, "wait": "park", "placement": {"strategy": "round_robin"}},
}


@pytest.fixture(scope="module")
def digests(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Return the digests of three runs, by deployment."""
    folder = tmp_path_factory.mktemp("circuit")
    document = series(*STAGES) | {"deployments": [{"name": name, **it} for name, it in DEPLOYMENTS.items()]}
    found = {}
    for name in DEPLOYMENTS:
        program = program_of(folder / name, document, "--deployment", name)
        sinks = [answer(program, folder / f"{name}-{run}", "--items", "1000003", "--trace", "off")["sinks"]
                 for run in range(3)]
        assert {sink["items"] for [sink] in sinks} == {1_000_003}
        found[name] = {sink["digest"] for [sink] in sinks}
    return found


@pytest.mark.parametrize("name", ["two", "around"])
def test_a_circuit_computes_what_one_thread_does(name: str, digests: dict[str, set[str]]) -> None:
    assert len(digests["alone"]) == 1 and digests[name] == digests["alone"]
