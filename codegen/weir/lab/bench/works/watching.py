"""What watching costs: null_rand under `flow`, with nothing compiled in and with each way to watch it."""

from __future__ import annotations

import secrets
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.event_stream import ReaderMissing, TraceUnreadable
from weir.engine.measuring.lttng import NoSpace, Session
from weir.engine.measuring.lttng_daemon import Unavailable
from weir.engine.measuring.trace import read_trace
from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import AUTO, Entry, Outcome, Site
from weir.lab.bench.programs import Program, outcome_of, ready, settings

NOTHING, SILENT, TRACED, COUNTERS, PROFILE = "nothing", "tracing off", "tracing on", "counters", "profile"
#: Of each source, between one event and the next.
GRANULARITY = 32768
#: A tx and an rx of each of the six pipes.
EVENTS_A_BOUNDARY = 12


def entries(scheduler: str, cell: Cell, site: Site) -> list[Entry]:
    """All asked for equally many items. Without `TRACED` where LTTng cannot be had."""
    if scheduler != "flow":
        return []
    sets = settings(scheduler, cell, AUTO)
    without = ready(scheduler, cell, site, sets)
    within = ready(scheduler, cell, site, {**sets, "/run/trace/backend": '"lttng"',
                                           "/run/trace/probe_granularity": str(GRANULARITY)})
    plain = without.program.lasting(site.seconds)
    silent = replace(within.program, items=plain.items)
    traced = replace(silent, trace="lttng")
    facts, facts_within = without.facts(plain), within.facts(silent)
    found = [Entry(scheduler, plain.measured, AUTO, None, facts, NOTHING),
             Entry(scheduler, silent.measured, AUTO, None, facts_within, SILENT, NOTHING)]
    if can_trace(traced):
        found.append(Entry(scheduler, partial(recorded, traced), AUTO, None, facts_within, TRACED, NOTHING))
    for metrics in (COUNTERS, PROFILE):
        watched = replace(plain, metrics=metrics)
        found.append(Entry(scheduler, watched.measured, AUTO, None, facts, metrics, NOTHING))
    return found


def can_trace(program: Program) -> bool:
    """Whether LTTng can be had, and its traces read. WeirError where it can, and loses events."""
    try:
        recorded(program)
    except (Unavailable, NoSpace, ReaderMissing):
        return False
    return True


def recorded(program: Program) -> Outcome:
    """A run of which every event is in a trace, which nobody keeps. WeirError where one is missing."""
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as name:
        folder = Path(name)
        session = Session(f"bench-{secrets.token_hex(4)}", folder / "trace",
                          predicted_events=EVENTS_A_BOUNDARY * (program.items // GRANULARITY + 1))
        with session:
            results = program.results_in(folder, session.track)
        written, lost = results["trace"]["events"], session.outcome.failure or session.outcome.discarded
        try:
            found = read_trace(folder / "trace").events
        except TraceUnreadable as error:
            found, lost = 0, str(error)
    if lost or not found or written not in (None, found):
        raise WeirError(diagnostic("E_BENCH", "", f"a traced run: {written} events were written and {found} recorded",
                                   str(lost or "")))
    return outcome_of(results)
