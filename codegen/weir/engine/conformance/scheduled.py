"""Build and run random graphs with schedules made in advance.

Compares results with numpy and with `flow`, and tests failing blocks and runs without an end.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from weir.diagnostics import Diagnostic, WeirError
from weir.engine.conformance.claims import Part
from weir.engine.conformance.findings import Finding, PartResult
from weir.engine.conformance.planning_context import FLOW, MINE, Case, PlanningContext, Refused
from weir.engine.conformance.random_graphs import FAILS, HEAD, ITEMS, Op, counted
from weir.engine.conformance.running import LIMIT_S, environment_for
from weir.engine.conformance.sanitizers import ended_by
from weir.engine.generation.emit import generate
from weir.engine.verifying.evaluation import Conditions, Evaluated, evaluate
from weir.model.check import Valid
from weir.model.flowgraph.graph import Graph

#: Largest number of instances of a graph that is built: each takes the compiler half a second.
_LARGEST = 24
#: Items of a run in which a block fails.
_FAIL_ITEMS = 1009
#: Every n-th graph is built under `flow`, too.
_BESIDE = 4
#: Time limit of a run, besides the limit on time without progress.
_MOST_S = 60.0
_SAID = "told to fail"
#: A program handles Ctrl-C itself as soon as it blocks the signal: its bit in `SigBlk` of /proc/PID/status.
_SIGINT = 1 << (signal.SIGINT - 1)


@dataclass(frozen=True)
class Build:
    """One graph in the program. `checked` has its deployments; those in `names` are built."""

    case: Case
    checked: Valid
    names: tuple[str, ...]

    @property
    def graph(self) -> Graph:
        """Return the graph that was built."""
        return self.checked.graph

    def name(self, deployment: str) -> str:
        """Return the name of its program under a deployment."""
        return f"graph_{self.case.graph.seed}_{deployment}"


@dataclass(frozen=True)
class RunSetup:
    """A program of many graphs. Runs leave their results in `folder`; `own` is the scheduler's folder."""

    program: Path
    builds: tuple[Build, ...]
    part: Part
    folder: Path
    own: Path
    prefix: Sequence[str] = ()


class ClaimFailed(Exception):
    """Raised at the first failed claim; ends the part."""

    def __init__(self, finding: Finding):
        super().__init__(finding.message)
        self.finding = finding


@dataclass(frozen=True)
class Choice:
    """Graphs to build. `builds` have a plan; `generated` has their generated files by name.

    `faulty` is a graph with a wrong plan or without generated code; `refusals` has the reasons of the others.
    """

    builds: tuple[Build, ...] = ()
    generated: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    faulty: tuple[Case, Diagnostic] | None = None
    refusals: tuple[str, ...] = ()


def chosen(context: PlanningContext, count: int, seed: int | None) -> Choice:
    """Return the first `count` graphs that have a plan and at most _LARGEST instances, or the graph of a seed."""
    builds: list[Build] = []
    generated: dict[str, Mapping[str, bytes]] = {}
    refusals: list[str] = []
    faulty = None
    for number in range(1, 4 * count + 1) if seed is None else (seed,):
        case = context.case(number)
        try:
            checked = context.checked(case)
            if seed is None and len(checked.graph.instances) > _LARGEST:
                continue
            build = Build(case, checked, (MINE,) if len(builds) % _BESIDE else (MINE, FLOW))
            generated.update({build.name(name): generate(context.plan(checked, name), checked.project, context.catalog)
                              for name in build.names})
        except Refused as refusal:
            refusals.append(str(refusal))
        except WeirError as error:
            faulty = faulty or (case, error.diagnostics[0])
        else:
            builds.append(build)
        if len(builds) == count:
            break
    return Choice(tuple(builds), generated, faulty, tuple(refusals))


def try_scheduled(setup: RunSetup) -> PartResult:
    """Run the builds of a setup in the mode of its part, until there is a finding."""
    ways = {"scheduled_graphs": _answers, "scheduled_errors": _errors, "scheduled_stops": _stops}
    runs = cases = beside = 0
    findings: tuple[Finding, ...] = ()
    try:
        for build in setup.builds:
            cases += 1
            for run in ways[setup.part.mode](setup, build):
                runs += 1
                run()
            beside += FLOW in build.names
    except ClaimFailed as failed:
        case, detail = build.case, failed.finding.detail.strip()
        findings = (replace(failed.finding, detail="\n".join(filter(None, (detail, case.text()))), part=setup.part.name,
                            build=setup.part.kind, seed=case.graph.seed, project=case.saved(setup.folder)),)
    compared = setup.part.mode == "scheduled_graphs" and beside
    notes = (f"{beside} of the graphs compared with flow, too",) if compared else ()
    return PartResult(setup.part, runs, cases, notes, findings)


def _answers(setup: RunSetup, build: Build) -> Iterator[Callable[[], None]]:
    """Yield runs of several lengths under each deployment that is built."""
    for items in ITEMS:
        truth = evaluate(build.graph, Conditions(items, build.checked.project.run.seed, Path()))
        for name in reversed(build.names):
            yield partial(_run_and_compare, setup, build, name, items, truth)


def _run_and_compare(setup: RunSetup, build: Build, name: str, items: int, truth: Evaluated) -> None:
    _compare(name, items, truth, _run(setup, build, name, items))


def _compare(name: str, items: int, truth: Evaluated, results: Mapping) -> None:
    who = "" if name == MINE else f"{name} (not a fault of the scheduler): "
    case = f"random graph, {counted(items)}"
    if results["status"] == "failed":
        raise ClaimFailed(Finding("errors", "the run reports a failed block, but none failed: " + _why(results),
                                  case=case))
    if "returned before" in _why(results):
        raise ClaimFailed(Finding("ending", who + _why(results), case=case))
    for sink in results["sinks"]:
        wanted = len(next(iter(truth.arrived[sink["id"]].values())))
        if sink["items"] != wanted:
            raise ClaimFailed(Finding("answers", f"{who}{sink['id']}: got {sink['items']} items, expected {wanted}",
                                      case=case))
        if sink["digest"] != f"{truth.answers[sink['id']]['digest']:016x}":
            raise ClaimFailed(Finding("answers", f"{who}{sink['id']}: the digest of {wanted} items differs from "
                                      "numpy's", case=case))


def _errors(setup: RunSetup, build: Build) -> Iterator[Callable[[], None]]:
    """Yield runs in which all copies of a block fail at the first, a middle and the last item.

    A run without a failure counts the items first: blocks make no more items than their readers need.
    """
    graph = build.case.graph
    plain: dict = {}
    yield lambda: plain.update(_run(setup, build, MINE, _FAIL_ITEMS))
    passed = {block["id"]: block["items_out"] for block in plain["blocks"]}
    for op in graph.of_type(FAILS)[:2]:
        there = passed[graph.instances(op)[0]]
        for at in sorted({0, there // 2, there - 1}) if there else ():
            yield partial(_fail, setup, build, op, at)


def _fail(setup: RunSetup, build: Build, op: Op, at: int) -> None:
    case = f"random graph, {_FAIL_ITEMS} items, {op.id} fails at item {at}"
    results = _run(setup, build, MINE, _FAIL_ITEMS, "--param", f"{op.id}.at={at}", case=case)
    should = {f"{name}: {_SAID}" for name in build.case.graph.instances(op)}
    if results["status"] != "failed" or not should & {reason["message"] for reason in results["reasons"]}:
        raise ClaimFailed(Finding("errors", f"{op.id} reported \"{_SAID}\", but the run is {results['status']}: "
                                  f"{_why(results) or 'it reports no reason'}", case=case))


def _stops(setup: RunSetup, build: Build) -> Iterator[Callable[[], None]]:
    """Yield runs without an end that are stopped at once and at random moments."""
    dice = random.Random(build.case.graph.seed)
    for moment_s in (0.0, dice.random() * 0.02, dice.random() * 0.1):
        yield partial(_stop, setup, build, moment_s)


def _stop(setup: RunSetup, build: Build, moment_s: float) -> None:
    case = f"random graph without end, stopped after {moment_s * 1e3:.0f} ms"
    endless = [word for op in build.case.graph.of_type(HEAD) for word in ("--param", f"{op.id}.items=0")]
    results = _run(setup, build, MINE, 0, *endless, case=case, stop_after_s=moment_s)
    if results["status"] == "failed":
        raise ClaimFailed(Finding("errors", "the run reports a failed block, but none failed: " + _why(results),
                                  case=case))
    if results["status"] != "partial":
        raise ClaimFailed(Finding("ending", f"the graph has no end, but the run is {results['status']}: "
                                  f"{_why(results)}", case=case))


def _run(setup: RunSetup, build: Build, deployment: str, items: int, *arguments: str, case: str = "",
         stop_after_s: float | None = None) -> Mapping:
    """Return the results of a run. Raises ClaimFailed if it did not end by itself or left no results."""
    case = case or f"random graph, {counted(items)}"
    out, limit_s = setup.folder / "run", LIMIT_S[setup.part.kind]
    (out / "results.json").unlink(missing_ok=True)
    command = [*setup.prefix, str(setup.program), build.name(deployment), str(build.case.graph.seed + 1),
               "--items", str(items), "--stall-s", str(limit_s), "--timeout-s", str(_MOST_S), "--speed-check-s", "0",
               "--out", str(out), *arguments]
    code, said = _ended(command, setup, stop_after_s)
    if code is None:
        raise ClaimFailed(Finding("stop" if stop_after_s is not None else "liveness", "the program did not end",
                                  detail=said, case=case))
    try:
        results = json.loads((out / "results.json").read_text())
    except (OSError, ValueError):
        results = None
    if results is None or (code != 0) != (results["status"] != "ok"):
        raise ClaimFailed(replace(ended_by(said, code, setup.own), case=case))
    codes = {reason["code"] for reason in results["reasons"]}
    if "E_STALLED" in codes or "E_TIMEOUT" in codes:
        raise ClaimFailed(Finding("liveness", "stuck: " + _why(results), detail=said, case=case))
    if "E_WORKERS_STUCK" in codes:
        claim = "stop" if stop_after_s is not None else "errors" if "E_BLOCK" in codes else "liveness"
        raise ClaimFailed(Finding(claim, _why(results), detail=said, case=case))
    return results


def _ended(command: Sequence[str], setup: RunSetup, stop_after_s: float | None) -> tuple[int | None, str]:
    """Return the exit code, None if the program had to be killed, and its output."""
    with (setup.folder / "run.log").open("w+b") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                   env=environment_for(setup.part.kind), cwd=setup.folder)
        try:
            if stop_after_s is not None:
                _await_listening(process)
                time.sleep(stop_after_s)
                process.send_signal(signal.SIGINT)
            code = process.wait(timeout=2 * _MOST_S)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            process.kill()
            process.wait()
        log.seek(0)
        return code, log.read().decode(errors="replace")


def _await_listening(process: subprocess.Popen) -> None:
    """Wait until the program handles Ctrl-C itself, or has ended."""
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        masks = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("SigBlk:")]
        if masks and int(masks[0], 16) & _SIGINT:
            return
        time.sleep(0.001)


def _why(results: Mapping) -> str:
    return "; ".join(reason["message"] for reason in results["reasons"] if reason["code"].startswith("E_"))

