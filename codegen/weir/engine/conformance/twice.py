"""Ask the planner in two processes with different hash seeds: plans must not depend on the order of sets.

The seeds are fixed, so that a difference is reproducible.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from weir.diagnostics import WeirError
from weir.engine.conformance.planning_context import Case, PlanningContext, Refused, said
from weir.model.catalog import read_scheduler
from weir.model.planning.machine import machine_from_json
from weir.sure import sure

_HASH_SEEDS = ("1", "2")
_PROGRAM = "from weir.engine.conformance.twice import answer; answer()"


def differing(context: PlanningContext, cases: Sequence[Case]) -> Iterator[tuple[Case, str]]:
    """Yield the cases whose plans differ between the processes, with the names of the fields that differ."""
    question = json.dumps({"scheduler": str(context.scheduler.folder), "machine": context.machine.as_json(),
                           "seeds": [case.graph.seed for case in cases]})
    with ThreadPoolExecutor(len(_HASH_SEEDS)) as pool:
        said_by = dict(zip(_HASH_SEEDS, pool.map(lambda hash_seed: _answers_of(question, hash_seed), _HASH_SEEDS)))
    for case in cases:
        # A process that died gives no plan, so its cases count as different.
        one, other = (answers.get(str(case.graph.seed), {"nothing": name}) for name, answers in said_by.items())
        if one != other:
            yield case, " and ".join(name for name in {**one, **other} if one.get(name) != other.get(name))


def _answers_of(question: str, hash_seed: str) -> Mapping[str, Mapping[str, str]]:
    """Return the answers of a process with this seed by graph; {} if it died."""
    # The child finds modules on the same path as this process.
    done = subprocess.run([sys.executable, "-P", "-B", "-c", _PROGRAM], input=question, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                          env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)})
    return json.loads(done.stdout) if done.returncode == 0 else {}


def answer() -> None:
    """Answer in a child process: read the question from stdin, write the answer to stdout."""
    question = json.load(sys.stdin)
    scheduler, _ = read_scheduler(Path(question["scheduler"]) / "scheduler.json")
    context = PlanningContext.of(sure(scheduler), machine_from_json(question["machine"]), Path())
    print(json.dumps({seed: _answered(context, context.case(seed)) for seed in question["seeds"]}))


def _answered(context: PlanningContext, case: Case) -> dict[str, str]:
    try:
        return said(context.arranged(context.request(case)))
    except (Refused, WeirError) as error:
        return {"refusal": str(error)}
