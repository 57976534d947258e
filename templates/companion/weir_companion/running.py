"""Run of a flowgraph: start it, wait for an end, and stop it, sources first."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from weir_companion import threads
from weir_companion.faults import Fault, first_line, in_a_line
from weir_companion.graph import Block, Graph
from weir_companion.options import Options
from weir_companion.probes import Probes
from weir_companion.program import Program

STARTING_S = 60.0  #: longest time for the construction of a flowgraph, and for its start
TICK_S = 0.02
QUIET_S = 1.0  #: a flowgraph that moves nothing for this time has drained; a throttle sleeps for half a second
DRAIN_S = 3.0  #: longest time for each group of sources to drain
PROGRESS_S = 0.5
#: A block that holds Python's lock keeps this thread from naming it.
LOCKED = "error: the flowgraph does not stop, and a block holds Python's lock"


@dataclass
class Outcome:
    """Outcome of a run: its end, its times and its faults."""

    ended_by: str = "itself"  #: `itself`, `items`, `seconds`, `timeout`, `signal` or `failure`
    drained: bool = True  #: nothing moved any more when the rest was stopped
    elapsed_s: float = 0.0
    begin_ns: int = 0
    end_ns: int = 0
    stopped: bool = True
    hanging: list[dict[str, Any]] = field(default_factory=list)
    reasons: list[dict[str, str]] = field(default_factory=list)
    #: Counts of all blocks when the first items had come to another sink, with the time.
    arrivals: list[tuple[int, list[dict[str, Any]]]] = field(default_factory=list)
    idle: dict[int, dict[str, str]] = field(default_factory=dict)  #: block that was never called -> state of its thread

    def blame(self, code: str, message: str) -> None:
        """Add a reason against the run."""
        self.reasons.append({"code": code, "message": message})


class Running:
    """One run, in the main thread."""

    def __init__(self, options: Options, program: Program, probes: Probes, graph: Graph, limits: dict[int, int],
                 outcome: Outcome, keep: Callable[[], None]):
        """Prepare the run. `limits`: block -> items; the run ends when each block has reached its limit. `keep`
        writes the results so far.
        """
        self.options, self.program, self.probes, self.graph = options, program, probes, graph
        self.limits, self.outcome, self.keep = limits, outcome, keep
        self.hooked = options.metrics != "none"
        self._without_items = {block.number for block in graph.blocks if block.inputs and not block.outputs}
        self._signals = 0
        self._over = threading.Event()
        self._last_report = 0.0

    def run(self) -> None:
        """Run to the end. Raises Fault if the flowgraph does not start."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._interrupted)
        longest = max(self.options.seconds, self.options.timeout_s)
        # Before the start, because a block may take Python's lock in its first call.
        self.probes.call("deadline", longest + 2 * STARTING_S if longest else 0.0, LOCKED, 4)
        self.program.snippets("after_init")
        self._start()
        began = time.monotonic()
        try:
            self.program.snippets("after_start")
            if self.program.window is not None:
                self.program.top.show()
        except Fault as error:
            self.outcome.blame("E_BLOCK", str(error))
        threading.Thread(target=self._wait, name="weir-wait", daemon=True).start()
        self.outcome.ended_by = self._wait_for_end(began)
        self._note_idle()
        self.probes.call("deadline", 4 * DRAIN_S + 3 * self.options.stop_s + STARTING_S, LOCKED, 4)
        self._stop()
        self.probes.call("no_deadline")
        self.outcome.end_ns = self.outcome.end_ns or time.monotonic_ns()
        self.outcome.elapsed_s = (self.outcome.end_ns - self.outcome.begin_ns) / 1e9
        if self.outcome.stopped:
            try:
                self.program.snippets("after_stop")
            except Fault as error:
                self.outcome.blame("E_BLOCK", str(error))
        self._judge()

    def _start(self) -> None:
        """Start the flowgraph, in a thread of its own because a block may wait for a peer for ever."""
        errors: list[Exception] = []
        started = threading.Event()

        def start() -> None:
            try:
                self.program.top.start(*self.program.start_with)
            except Exception as error:
                errors.append(error)
            started.set()

        what = f"{self.options.program}: the flowgraph does not start"
        limit = min(self.options.timeout_s or STARTING_S, STARTING_S)
        self.outcome.begin_ns = time.monotonic_ns()
        threading.Thread(target=start, name="weir-start", daemon=True).start()
        if not self._until(lambda: started.is_set() or self._signals > 0, limit):
            waiting = [block.name for block, row in self._rows() if row["starting"]]
            raise Fault(f"{what} within {limit:g} s"
                        + (f"; waiting in `start`: {', '.join(waiting)}" if waiting else ""))
        if not started.is_set():
            raise Fault(f"{self.options.program}: interrupted while the flowgraph started")
        if errors:
            raise Fault(f"{what}: {in_a_line(errors[0])}")

    def _wait(self) -> None:
        self.program.top.wait()
        self.outcome.end_ns = time.monotonic_ns()
        self._over.set()

    def _interrupted(self, number: int, _frame: object) -> None:
        self._signals += 1

    def _tick(self) -> bool:
        """Wait a moment, with the windows alive. Returns whether the flowgraph has ended."""
        if self.program.window is not None:
            self.program.window.processEvents()
        return self._over.wait(TICK_S)

    def _wait_for_end(self, began: float) -> str:
        options = self.options
        while not self._tick():
            now = time.monotonic() - began
            self._report("run", now)
            self._note_arrivals()
            if self._signals:
                return "signal"
            if self.probes.call("failed") >= 0:
                return "failure"
            if self._limits_reached():
                return "items"
            if options.timeout_s and now >= options.timeout_s:
                return "timeout"
            if options.seconds and now >= options.seconds:
                return "seconds"
        if self.probes.call("failed") >= 0:
            return "failure"
        return "items" if self._limits_reached() else "itself"

    def _note_arrivals(self) -> None:
        reached = {number for number in self._without_items if self.probes.call("progress", number)}
        if reached:
            self._without_items -= reached
            self.outcome.arrivals.append((time.monotonic_ns(), self.probes.call("counts")["blocks"]))

    def _limits_reached(self) -> bool:
        return bool(self.limits) and all(self.probes.call("progress", number) >= items
                                         for number, items in self.limits.items())

    def _report(self, phase: str, now: float) -> None:
        if not self.options.progress or now - self._last_report < PROGRESS_S:
            return
        self._last_report = now
        # The source that is farthest from its end gives the remaining time.
        progress = {number: self.probes.call("progress", number) for number in self.limits}
        at = min(progress, key=lambda number: progress[number] / self.limits[number], default=next(
            (block.number for block in self.graph.blocks if not block.inputs), None))
        done = self.probes.call("progress", at) if at is not None and self.hooked else 0
        total = self.limits.get(at) if at is not None else None
        eta = round(now * (total - done) / done, 3) if total and done else (
            max(0.0, round(self.options.seconds - now, 3)) if self.options.seconds else None)
        print(json.dumps({"phase": phase, "done": done, "total": total, "eta_s": eta, "run_id": self.options.run_id,
                          "items_per_s": done / now if now else None}), flush=True)

    def _stop(self) -> None:
        """End the sources, let the rest drain, and stop what remains."""
        hearing = {sink for _, _, sink, _ in self.graph.message_edges}
        sources = [block.number for block in self.graph.blocks if not block.inputs and block.outputs]
        # The messages of a strobe never end, so the second group does not wait for them.
        for group, messages in (([it for it in sources if it not in hearing], True),
                                ([it for it in sources if it in hearing], False)):
            if not group or not self.hooked or self._over.is_set() or self._signals > 1:
                continue
            for number in group:
                self.probes.call("end", number)
            self.outcome.drained = self._drain(messages)
        if self._over.is_set():
            return
        self.keep()  # some blocks crash when they are stopped: the network sinks of GNU Radio 3.10 while they wait
        stopper = threading.Thread(target=self.program.top.stop, name="weir-stop", daemon=True)
        stopper.start()
        if not self._until(self._over.is_set, self.options.stop_s):
            self.outcome.stopped, self.outcome.hanging = False, self._hanging()

    def _drain(self, messages: bool) -> bool:
        """Wait until nothing moves. Returns False if something still moves."""
        last, since, began = -1, time.monotonic(), time.monotonic()
        while not self._tick():
            activity = self.probes.call("activity", messages)
            if activity != last:
                last, since = activity, time.monotonic()
            elif time.monotonic() - since > QUIET_S:
                return True
            if self._signals > 1 or time.monotonic() - began > DRAIN_S:
                return False
        return True

    def _until(self, over: Callable[[], bool], seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not over():
            if time.monotonic() >= deadline:
                return False
            if self.program.window is not None:
                self.program.window.processEvents()
            time.sleep(TICK_S / 4)
        return True

    def _rows(self) -> list[tuple[Block, dict[str, Any]]]:
        return list(zip(self.graph.blocks, self.probes.call("counts")["blocks"]))

    def _note_idle(self) -> None:
        """Note the status of the threads of blocks that were never called: the probes read it at the first call."""
        for block, row in self._rows():
            if not row["granted"] and row["thread"]:
                self.outcome.idle[block.number] = threads.status(row["thread"])

    def _hanging(self) -> list[dict[str, Any]]:
        """Return the blocks whose threads still live."""
        return [{"block": block.name, "thread": row["thread"], "state": state, "in_work": row["inside"]}
                for block, row in self._rows() if (state := threads.state(row["thread"]) if row["thread"] else "")]

    def _judge(self) -> None:
        outcome = self.outcome
        for block, row in self._rows():
            if row["failure"] is not None:
                outcome.blame("E_BLOCK", f"block {block.name} failed: {first_line(row['failure'])}")
        if not outcome.stopped:
            what = ", ".join(f"{one['block']} ({'in work' if one['in_work'] else 'outside work'}, thread "
                             f"{one['thread']} {one['state']})" for one in outcome.hanging)
            outcome.blame("E_WORKERS_STUCK", f"did not stop within {self.options.stop_s:g} s: "
                                     + (what or "no thread of a block is known"))
        if outcome.ended_by == "timeout":
            outcome.blame("E_TIMEOUT", f"the flowgraph ran longer than {self.options.timeout_s:g} s")
        if outcome.ended_by == "signal":
            outcome.blame("E_INTERRUPTED", "a signal ended the run; the results are those until then")
