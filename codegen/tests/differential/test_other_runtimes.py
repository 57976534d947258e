"""Compare random graphs under peer runtimes with numpy and with the single_thread scheduler."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from library import Library
from planning import machine
from runtimes import want
from trial import try_seed
from weir.model.catalog import load_catalog

#: Each scheduler of a peer runtime, with the seeds of every test run. The tests of the targets for GNU Radio and
#: FutureSDR always compare graphs with forks, joins and ends of all kinds with numpy.
QUICK = {"gnuradio310": (), "gnuradio4_simple": (), "gnuradio4_simple_mt": (), "gnuradio4_custom": (),
         "futuresdr_flow": (), "futuresdr_smol": (), "futuresdr_smol_pinned": (),
         "futuresdr010_flow": (), "futuresdr010_smol": (), "futuresdr010_local": (),
         "qsdr_custom": (2,), "qsdr_single_thread": (), "qsdr_tokio": (), "qsdr_async_executor": ()}
#: Seeds of the full test: forty per runtime, distributed over its schedulers.
SLOW = range(99, 138)


def slow(scheduler: str) -> list[int]:
    runtime = scheduler.partition("_")[0]
    family = [it for it in QUICK if it.partition("_")[0] == runtime]
    return [seed for seed in SLOW if family[seed % len(family)] == scheduler]


CASES = [*((it, seed) for it, seeds in QUICK.items() for seed in seeds),
         *(pytest.param(it, seed, marks=pytest.mark.slow) for it in QUICK for seed in slow(it))]


@pytest.mark.parametrize(("scheduler", "seed"), CASES)
def test_a_random_graph(scheduler: str, seed: int, tmp_path: Path) -> None:
    """Build each of the forty projects in two deployments."""
    catalog = load_catalog()
    want(catalog.schedulers[scheduler].descriptor["target"])
    catalog = replace(catalog, schedulers={it: catalog.schedulers[it] for it in ("single_thread", scheduler)})
    verdict = try_seed(seed, catalog, Library(catalog), machine("two_core"), tmp_path / "project",
                       each=2 if seed in SLOW else 1, lttng=False)
    if verdict.refused[scheduler]:
        pytest.skip(f"{scheduler} refuses the graph of seed {seed}")
    assert verdict.schedulers[scheduler] and verdict.compared_items
