"""Random graphs under other runtimes give what numpy and the single_thread scheduler give."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from library import Library
from planning import machine
from trial import try_seed

from weir.catalog import load_catalog

#: Scheduler of a runtime, and the library by which pkg-config knows that it is there; CARGO: a program of Rust's.
CARGO = "cargo"
RUNTIMES = {"gnuradio310": "gnuradio-runtime",
            **dict.fromkeys(("qsdr_custom", "qsdr_single_thread", "qsdr_tokio", "qsdr_async_executor"), CARGO)}
SEEDS = (2, 4, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(100, 138)))


def is_there(library: str) -> bool:
    if library == CARGO:
        return shutil.which(CARGO) is not None
    return subprocess.run(["pkg-config", "--exists", library], check=False).returncode == 0


@pytest.mark.parametrize("scheduler", RUNTIMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_graph(scheduler: str, seed: int, tmp_path: Path) -> None:
    if not is_there(RUNTIMES[scheduler]):
        pytest.skip(f"{RUNTIMES[scheduler]} is not installed")
    catalog = load_catalog()
    catalog = replace(catalog, schedulers={it: catalog.schedulers[it] for it in ("single_thread", scheduler)})
    verdict = try_seed(seed, catalog, Library(catalog), machine("two_core"), tmp_path / "project", lttng=False)
    if verdict.refused[scheduler]:
        pytest.skip(f"{scheduler} refuses the graph of seed {seed}")
    assert verdict.schedulers[scheduler] and verdict.compared_items
