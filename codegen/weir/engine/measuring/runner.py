"""Run built deployments: one process and one run directory per run; random order within each round."""

from __future__ import annotations

import hashlib
import os
import platform
import random
import secrets
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from weir import __version__
from weir.diagnostics import WeirError, diagnostic, os_error, trying
from weir.engine.measuring import results as res
from weir.engine.measuring import weir_protocol
from weir.engine.measuring.causes import causes
from weir.engine.measuring.child import Interrupts, interesting_environment, run_child
from weir.engine.measuring.coordinates import Requested, params_of
from weir.engine.measuring.kernel_trace import KernelTrace
from weir.engine.measuring.latency import write_curves
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.recording import Recording
from weir.engine.measuring.revision import git_revision
from weir.engine.measuring.run_directory import KEPT, RunDirectory, new_run_id
from weir.engine.measuring.runnable import Finished, Runnable, RunOptions, Slot, Verified
from weir.engine.measuring.tables import write_tables
from weir.engine.results_model import fill_in
from weir.engine.targets.interface import Ended, Order, Verdict
from weir.machine import environment
from weir.machine.doctoring.deployed import Deployed
from weir.machine.doctoring.examination import findings_of_run
from weir.machine.doctoring.machine_view import MachineView
from weir.machine.processes import machine_lock
from weir.model import ownership
from weir.model.document.shape import check_shape
from weir.sure import sure
from weir.tracers import MEMORY

#: File with the program's results if Weir could not analyse them.
MEASURED = "measured.json"
#: File with the program's output.
LOG = "stdout.log"


def schedule(deployments: int, repetitions: int, seed: int) -> Iterator[tuple[int, int]]:
    """Yield (repetition, deployment): all deployments once per repetition, in random order from the seed.

    Drift of the machine then affects all deployments alike.
    """
    order = random.Random(seed)
    for repetition in range(repetitions):
        round_ = list(range(deployments))
        order.shuffle(round_)
        yield from ((repetition, deployment) for deployment in round_)


def run_all(runnables: Sequence[Runnable], options: RunOptions, listener: Listener) -> list[Finished]:
    """Run every deployment as often as requested. After Ctrl-C, the interrupted run is the last one."""
    for it in runnables:
        _hashes(it.kept)
    finished = []
    verified: dict[int, Verified | None] = {}
    size = len(runnables)
    set_id = secrets.token_hex(8)
    seed = secrets.randbits(32) if options.order_seed is None else options.order_seed
    for done, (round_, index) in enumerate(schedule(size, options.repetitions, seed)):
        listener.phase("runs", done, size * options.repetitions)
        slot = Slot(set_id, seed, options.repetitions, round_, done % size, size)
        one, interrupted = run_in_turn(runnables[index], options, slot, listener, verified, index)
        finished.append(one)
        listener.finished(one)
        if interrupted:
            break
    return finished


def run_in_turn(it: Runnable, options: RunOptions, slot: Slot, listener: Listener,
                verified: dict[int, Verified | None], index: int) -> tuple[Finished, bool]:
    """Make one run while no other run measures. Return it, and whether it was interrupted.

    Verifies the binary before its first run; `verified` keeps the result by `index`.
    """
    own = replace(options, **it.own)
    # Ctrl-C ends the wait for the lock at once, but lets a run write its results.
    with machine_lock(listener.waits), Interrupts() as interrupts:
        if index not in verified:
            verified[index] = _verify(it, own, interrupts, listener)
        one = _run_one(it, own, slot, interrupts, listener, verified[index])
    return one, bool(interrupts.count)


def verify_all(runnables: Sequence[Runnable], options: RunOptions, listener: Listener) -> list[Verified]:
    """Verify each binary again, measure nothing and store no run. Raises KeyboardInterrupt if interrupted."""
    found = []
    for it in runnables:
        with machine_lock(listener.waits), Interrupts() as interrupts:
            found.append(sure(_verify(it, replace(options, **it.own), interrupts, listener, anew=True)))
    return found


def _verify(it: Runnable, options: RunOptions, interrupts: Interrupts, listener: Listener,
            anew: bool = False) -> Verified | None:
    if it.verify is None:
        return None
    if it.verifiable:
        listener.step(it.plan["deployment"], "verifying")
    found = it.verify(options.params, interrupts, anew)
    if interrupts.count:
        raise KeyboardInterrupt
    return found


def _run_one(it: Runnable, options: RunOptions, slot: Slot, interrupts: Interrupts, listener: Listener,
             verified: Verified | None) -> Finished:
    run_id = new_run_id(it.plan["project"], it.plan["deployment"])
    timeout_s = options.timeout_s or float(it.plan["run"]["timeout_s"]) or 1e6
    with RunDirectory(options.out, run_id) as directory:
        with trying(f"run {it.plan['deployment']} in {options.out}"):
            directory.write("project.json", it.document)
            directory.write("plan.json", it.plan)
            directory.write("machine.json", it.machine)
            ownership.write_files(directory.path / KEPT, it.kept)
            wanted = options.trace if options.trace in it.traces else it.plan["trace"]["backend"]
            recording = Recording(_with_items(it.plan, options.items), str(wanted), run_id, directory.path, timeout_s,
                                  it.events_file)
            findings = findings_of_run(MachineView(deployments=[Deployed.of_plan(it.plan, wanted, it.volk)]))
            started = _utc()
            listener.runs(it.plan["deployment"], run_id)
            kernel = KernelTrace(options.causes and bool(it.plan["trace"].get("causes")))
            # Start the tracer before the isolation, which then moves the tracer away from the run's CPUs. Start the
            # kernel trace last: it follows child processes, and must not follow the interference load.
            with recording, it.run_environment(listener.once) as run_environment, kernel:
                if kernel.recorded.why_not:
                    listener.say(f"Weir cannot find why items are late: {kernel.recorded.why_not}")
                if recording.note:
                    instead = "tracing in memory instead" if recording.backend == MEMORY else "not traced"
                    listener.say(f"{recording.note}; {instead}")
                order = Order(directory.path, it.folder, run_id, slot.round, options.items, recording.backend,
                              options.params, options.timeout_s, listener.progress is not None,
                              metrics=options.metrics, warmup_items=options.warmup_items,
                              beside=tuple(run_environment.beside))
                argv = it.protocol.command(it.program, order)
                ended = run_child(argv, directory.path, directory.path / LOG, timeout_s, interrupts,
                                  listener.progress, recording.before_start, getattr(it.protocol, "progress", None),
                                  run_environment.inside)
                directory.rescue_with(lambda error: _keep_unanalysed(
                    error, it, directory, recording.backend, options, slot, listener,
                    lambda: _run_json(it, options, slot, run_id, argv, ended, started, findings,
                                      run_environment.isolation)))
                verdict = it.protocol.verdict(ended)
                if verdict.kind in ("usage", "unwritten"):
                    directory.rescue_with(None)
            kernel.finish()
            listener.phase("analysing", run_id=run_id, deployment=it.plan["deployment"])
            check_usage(verdict)
            if verdict.kind == "unwritten" and verdict.errno:
                raise WeirError(os_error(OSError(verdict.errno, os.strerror(verdict.errno)),
                                         f"write the results of {it.plan['deployment']} in {options.out}"))
            results = _collect(it, order, ended, verdict, interrupts)
            _add_coordinates(results, it, options, slot, order.trace)
            if as_run := getattr(it.protocol, "as_run", None):
                recording.as_run(as_run(order, it.plan))
            pairs = recording.add_to(results)
            run_environment.add_to(results)
            if kernel.wanted:
                results["causes"] = causes(pairs, it.plan, results, kernel.recorded)
            listener.samples(pairs)
            if verified:
                verified.add_to(results)
            res.check_written(results, "results")
            if pairs or results["latency"] is None:  # otherwise the program computed it
                write_curves(directory.path, pairs)
            write_tables(directory.path, results)
            directory.write("results.json", results)
            directory.write("run.json", _run_json(it, options, slot, run_id, argv, ended, started, findings,
                                                  run_environment.isolation))
            recording.remove_events()
            if not (options.keep_trace or results["status"] == "invalid"):
                recording.remove_trace()
            return Finished(directory.complete(), results, it.document)


def _hashes(kept: Mapping[str, bytes]) -> dict[str, str]:
    """Return `kept` of run.json. Raises WeirError (E_INTERNAL) if run.json cannot list the names, before any run."""
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in kept.items()}
    for fault in check_shape({"kept": hashes}, "run"):
        if fault.pointer.startswith("/kept"):
            raise WeirError(diagnostic("E_INTERNAL", fault.pointer, f"a run cannot keep it: {fault.message}"))
    return hashes


def check_usage(verdict: Verdict) -> None:
    """Raise WeirError (E_USAGE) if the program refused its options."""
    if verdict.kind == "usage":
        raise WeirError(diagnostic("E_USAGE", "", " / ".join(verdict.said) or "the program refused its options"))


def _keep_unanalysed(error: BaseException, it: Runnable, directory: RunDirectory, backend: str, options: RunOptions,
                     slot: Slot, listener: Listener, run_json: Callable[[], dict]) -> None:
    """Keep the measurements after an error, if possible as an invalid run."""
    written = directory.path / "results.json"
    ours = (*directory.written, LOG)
    if all(name in ours or name.startswith(f"{KEPT}/") for name in ownership.entries(directory.path)):
        return
    try:
        if "results.json" not in directory.written:
            plan = _with_items(it.plan, options.items)
            results = res.without_results(plan, directory.run_id, slot.round, backend, _environment(it))
            _add_coordinates(results, it, options, slot, backend)
            res.add_reason(results, "E_NOT_ANALYSED",
                           f"{str(error) or type(error).__name__}; "
                           f"{MEASURED if written.exists() else 'the directory'} has what the program wrote")
            res.check_written(results, "results")
            if written.exists():
                os.replace(written, directory.path / MEASURED)
            directory.write("results.json", results)
        directory.write("run.json", run_json())
        path = directory.complete()
    except Exception:  # report the first error, not this one
        path = directory.abandon()
    listener.say(f"Weir kept the measurements in {path}")


def _with_items(plan: Mapping, items: int | None) -> Mapping:
    return plan if items is None else {**plan, "run": {**plan["run"], "items": items}}


def _collect(it: Runnable, order: Order, ended: Ended, verdict: Verdict, interrupts: Interrupts) -> dict:
    """Return the program's results, or empty ones with the reason, completed with the runner's data."""
    def blank() -> dict:
        return res.without_results(_with_items(it.plan, order.items), order.run_id, order.repetition, order.trace,
                                   _environment(it))

    results = it.protocol.results(order, it.plan, ended, blank)
    written = results is not None
    if results is not None:
        fill_in(results)  # targets outside of the tree may lack later fields
    else:
        results = blank()
        if interrupts.count:
            res.add_reason(results, "E_INTERRUPTED", "interrupted before the program had results")
    said = f"; its last output: {' / '.join(verdict.said)}" if verdict.said else ""
    if ended.overdue:
        res.add_reason(results, "E_DID_NOT_STOP", f"the program did not end after its time limit and was killed{said}")
    elif ended.signal_name and not interrupts.count:
        crashed = f"{verdict.crashed_in}: " if verdict.crashed_in else "the program was "
        res.add_reason(results, "E_CRASHED", f"{crashed}ended by {ended.signal_name}{said}")
    elif not written and not interrupts.count:
        res.add_reason(results, "E_NO_RESULTS",
                       f"the program ended with exit code {ended.code} and wrote no results{said}")
    elif verdict.kind in ("failed", "unwritten") and not interrupts.count:
        res.add_reason(results, "E_EXIT_CODE", f"the program ended with exit code {ended.code}{said}")
    results["run_id"], results["repetition"] = order.run_id, order.repetition
    results["binary_hash"] = it.program.hash
    for code, message in it.warnings.items():
        res.add_reason(results, code, message)
    if machine := environment.emulated_on():
        res.add_reason(results, "E_EMULATED", f"an emulator runs programs for {platform.machine()} on {machine}")
    res.add_small_bursts(results, it.plan)
    res.add_request(results, it.plan, it.document, it.parameters)
    results["environment"]["git_revision"] = git_revision(it.folder)
    results["environment"]["timer_hz"] = environment.timer_hz()
    if results["environment"]["volk_machine"] is None:
        results["environment"]["volk_machine"] = environment.volk_machine()
    return results


def _add_coordinates(results: dict, it: Runnable, options: RunOptions, slot: Slot, trace: str) -> None:
    settings, run = {**it.settings, **params_of(options.params, it.plan)}, _with_items(it.plan, options.items)["run"]
    requested = Requested(it.plan["target"], slot.round, run["items"], run["seed"], trace, slot.set_id,
                  it.parameters, settings)
    ours = it.protocol is weir_protocol
    res.add_coordinates(results, it.plan, requested, it.tools.runtime or (it.plan["weir_version"] if ours else None),
                        it.program.kernel_hash or ("inlined" if ours else None))


def _environment(it: Runnable) -> dict[str, Any]:
    """Return the environment as far as Weir knows it without the program's report."""
    return {"kernel": " ".join((platform.system(), platform.release(), platform.machine())),
            "cpu": environment.cpu_name(), "cpus": len(it.machine.get("allowed", ())), "isolated_cpus": "",
            "clock_source": environment.clock_source(), "compiler": it.tools.name, "flags": " ".join(it.tools.words),
            "flush_to_zero": False}


def _run_json(it: Runnable, options: RunOptions, slot: Slot, run_id: str, argv: Sequence[str], ended: Ended,
              started: str, findings: Sequence[Mapping], isolation: Mapping | None) -> dict:
    request = {"folder": str(it.folder), "items": options.items, "trace": options.trace, "params": list(options.params),
               "keep_trace": options.keep_trace,
               "catalog_paths": {option: list(paths) for option, paths in it.catalog_paths.items()},
               **({"metrics": options.metrics} if options.metrics else {})}
    value = {"schema_version": 1, "run_id": run_id, "weir_version": __version__, "command": it.command,
             "request": request, "argv": list(argv), "exit_code": ended.code, "started": started, "finished": _utc(),
             "round": slot.round, "set": slot.as_json(), "host": environment.host(),
             "environment": interesting_environment(), "versions": _versions(), "sources": dict(it.sources),
             "kept": _hashes(it.kept), "findings": list(findings),
             **({"isolation": isolation} if isolation else {})}
    res.check_written(value, "run")
    return value


def _versions() -> dict[str, str | None]:
    try:
        lttng = subprocess.run(["lttng", "--version"], capture_output=True, text=True,
                               timeout=10).stdout.strip() or None
    except (OSError, subprocess.TimeoutExpired):
        lttng = None
    return {"weir": __version__, "python": platform.python_version(), "lttng": lttng,
            "volk": environment.volk_version()}


def _utc() -> str:
    """Return the time in UTC with milliseconds. `compare` uses it to recognise runs made in turns."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def exit_code(finished: Sequence[Finished]) -> int:
    """Return 0 if every run is ok, else 4."""
    return 0 if finished and all(f.results["status"] == "ok" for f in finished) else 4
