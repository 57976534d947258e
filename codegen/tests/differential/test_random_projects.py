"""Run random projects under every scheduler: results are equal bit for bit, and agree with numpy.

`WEIR_DIFF`: number of projects. `WEIR_DIFF_SEED`: first seed; with WEIR_DIFF=1 it repeats one project.
`WEIR_DIFF_SANITIZER`: such as thread (under `setarch -R`). A project that fails stays in
build/test/differential/failed/<seed>.
"""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from dataclasses import replace

import pytest
from binary import CACHE, BuildFailed, lttng_world
from library import Library
from planning import HERE, machine
from trial import Verdict, try_seed
from weir.model.catalog import Catalog, load_catalog

DEFAULT_PROJECTS = 2


def projects() -> int:
    return int(os.environ.get("WEIR_DIFF", DEFAULT_PROJECTS))


def catalog() -> Catalog:
    """Return the catalog with the tests' target and their scheduler that plans.

    test_scheduler_path tests the other scheduler. test_other_runtimes tests those of peer runtimes, whose programs are
    built one by one.
    """
    found = load_catalog(target_paths=[HERE / "targets"], scheduler_paths=[HERE / "schedulers"])
    return replace(found, schedulers={name: it for name, it in found.schedulers.items() if name != "one_queue"
                                      and not found.targets[found.target_for(name)].runtime})


def of_fixed_rates(library: Catalog) -> Library:
    """Return the blocks that every scheduler can run, including those with a schedule made in advance."""
    wanted = {name for it in library.schedulers.values() for name in it.requires}
    return Library(replace(library,
                           blocks={name: it for name, it in library.blocks.items() if all(map(it.meets, wanted))}))


def histogram(title: str, counts: Counter) -> str:
    return f"  {title}: " + ", ".join(f"{name} {n}" for name, n in counts.most_common())


def summary(verdicts: list[Verdict], first: int, seconds: float) -> str:
    total = {key: sum((getattr(v, key) for v in verdicts), Counter())
             for key in ("topology", "blocks", "schedulers", "traces", "refused")}
    return "\n".join([
        f"random projects: {len(verdicts)} from seed {first}, {sum(v.runs for v in verdicts)} runs, "
        f"{sum(v.compared_items for v in verdicts)} items compared with numpy, "
        f"{sum(v.across_targets for v in verdicts)} digests and files across targets, {seconds:.0f} s",
        histogram("topologies", total["topology"]), histogram("instances", total["blocks"]),
        histogram("runs by scheduler", total["schedulers"]), histogram("runs by trace", total["traces"]),
        histogram("cannot run it", total["refused"])])


def test_every_scheduler_of_every_target_gives_the_answer_of_numpy(record_property):
    """Use blocks with fixed rates in every second project."""
    library = catalog()
    first = int(os.environ.get("WEIR_DIFF_SEED", "1"))
    sanitizer = os.environ.get("WEIR_DIFF_SANITIZER", "")
    blocks, two_core = (of_fixed_rates(library), Library(library)), machine("two_core")
    lttng = "WEIR_DIFF" in os.environ and not sanitizer and not lttng_world.missing()
    started = time.monotonic()
    verdicts, failures = [], []
    for seed in range(first, first + projects()):
        folder = CACHE / f"seed-{os.getpid()}-{seed}"
        try:
            verdicts.append(try_seed(seed, library, blocks[seed % 2], two_core, folder, sanitizer=sanitizer,
                                     lttng=lttng))
            assert verdicts[-1].schedulers["looped"] or seed % 2, "fixed rates, and no schedule made beforehand"
        except (AssertionError, BuildFailed) as error:
            kept = CACHE / "failed" / str(seed)
            shutil.rmtree(kept, ignore_errors=True)
            kept.parent.mkdir(parents=True, exist_ok=True)
            folder.rename(kept)
            failures.append(f"seed {seed} ({kept}/project.weir.json): {error}")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    text = summary(verdicts, first, time.monotonic() - started)
    record_property("random_projects", text)
    if failures:
        pytest.fail("\n".join([f"{len(failures)} of {projects()} projects:", *failures]))
