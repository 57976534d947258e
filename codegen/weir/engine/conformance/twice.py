"""The planner asked in two processes whose sets have other orders: what it makes of a graph must not follow from these.

The seeds of their hashes are fixed, so that what differs once differs again.
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
from weir.engine.conformance.desk import Case, Desk, Refused, said
from weir.model.catalog import read_scheduler
from weir.model.planning.machine import machine_from_json
from weir.sure import sure

_HASH_SEEDS = ("1", "2")
_PROGRAM = "from weir.engine.conformance.twice import answer; answer()"


def differing(desk: Desk, cases: Sequence[Case]) -> Iterator[tuple[Case, str]]:
    """The cases of which the two do not make the same, and what of the plan differs."""
    question = json.dumps({"scheduler": str(desk.scheduler.folder), "machine": desk.machine.as_json(),
                           "seeds": [case.graph.seed for case in cases]})
    with ThreadPoolExecutor(len(_HASH_SEEDS)) as pool:
        said_by = dict(zip(_HASH_SEEDS, pool.map(lambda hash_seed: _asked(question, hash_seed), _HASH_SEEDS)))
    for case in cases:
        # One that has died gives no answer, which is as good as none of the other's.
        one, other = (answers.get(str(case.graph.seed), {"nothing": name}) for name, answers in said_by.items())
        if one != other:
            yield case, " and ".join(name for name in {**one, **other} if one.get(name) != other.get(name))


def _asked(question: str, hash_seed: str) -> Mapping[str, Mapping[str, str]]:
    """By graph, what a process with this seed says; {} of one that died."""
    # Modules are found where this process finds them.
    done = subprocess.run([sys.executable, "-P", "-B", "-c", _PROGRAM], input=question, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                          env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)})
    return json.loads(done.stdout) if done.returncode == 0 else {}


def answer() -> None:
    """In such a process: the question is its input, the answer its output."""
    question = json.load(sys.stdin)
    scheduler, _ = read_scheduler(Path(question["scheduler"]) / "scheduler.json")
    desk = Desk.of(sure(scheduler), machine_from_json(question["machine"]), Path())
    print(json.dumps({seed: _answered(desk, desk.case(seed)) for seed in question["seeds"]}))


def _answered(desk: Desk, case: Case) -> dict[str, str]:
    try:
        return said(desk.arranged(desk.request(case)))
    except (Refused, WeirError) as error:
        return {"refusal": str(error)}
