"""weir runs trace: convert the kept trace of a run into a timeline for Perfetto and chrome://tracing."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, say
from weir.diagnostics import Diagnostic, WeirError, diagnostic, os_error, trying

if TYPE_CHECKING:
    from weir.engine.measuring.run_directory import StoredRun

HELP = "convert the kept trace of a run into a timeline for ui.perfetto.dev"
DAMAGED = 4


def add_action(actions) -> argparse.ArgumentParser:
    """Add `trace` to the actions of `weir runs`."""
    parser = actions.add_parser("trace", help=HELP, description=HELP)
    parser.add_argument("run_directory", metavar="RUN", help="run directory, or its name in the folder, of a run that "
                        "kept its trace (weir run --trace lttng --keep-trace)")
    parser.add_argument("-o", "--output", metavar="T.json", type=Path, required=True,
                        help="timeline to write, in the Trace Event Format")
    parser.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR",
                        help="folder of run directories (default: runs)")
    add_common(parser, "--json")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.engine.measuring.event_stream import EventStream, ReaderMissing
    from weir.engine.measuring.run_store import TRACE, named_run
    from weir.files import whole_file
    from weir.model.document import jsontext
    from weir.read.reporting.timeline import Timeline

    stored = named_run(args.run_directory, args.out)
    folder = stored.path / TRACE
    if not folder.is_dir():
        raise WeirError(_missing(stored))
    timeline = Timeline(stored, _plan(stored))
    stream = EventStream(folder)
    try:
        with whole_file(args.output) as file:
            timeline.write(stream, file)
            if not timeline.events:
                why = timeline.damage or "it contains no event of Weir"
                raise WeirError(diagnostic("E_TRACE_UNREADABLE", "", f"{folder}: {why}"))
    except ReaderMissing as reason:
        raise WeirError(diagnostic("E_TOOL_MISSING", "", str(reason))) from None
    except OSError as error:
        raise WeirError(os_error(error, f"write {args.output}")) from None
    say(f"wrote {args.output}: {timeline.events} events; open the file with ui.perfetto.dev")
    if stream.reader and stream.reader.note:
        say(stream.reader.note)
    if stream.discarded:
        say(f"the tracer dropped {stream.discarded} events; they are missing from the timeline")
    if timeline.damage:
        say(f"the timeline ends early, because the trace is damaged: {timeline.damage}")
    if args.json:
        sys.stdout.write(jsontext.write({"output": str(args.output.absolute()), "events": timeline.events,
                                         "discarded": stream.discarded, "damage": timeline.damage or None}))
    return DAMAGED if timeline.damage else 0


def _missing(stored: StoredRun) -> Diagnostic:
    """Return the diagnostic that says why a run has no trace, and how to record one."""
    backend = (stored.results.get("trace") or {}).get("backend")
    why = {"memory": "it recorded events in memory only",
           "lttng": "Weir deleted its trace after the analysis"}.get(str(backend), "it was not traced")
    command = str(stored.run.get("command") or "weir run PROJECT")
    if backend == "lttng":
        again = command
    else:
        again = f"{command.replace(f' --trace {backend}', '')} --trace lttng"
    return diagnostic("E_TRACE_MISSING", "", f"{stored.path} has no trace: {why}",
                      f"run it again: {again} --keep-trace")


def _plan(stored: StoredRun) -> dict:
    from weir.files import read_bounded
    from weir.model.document import jsontext

    with trying(f"read {stored.path / 'plan.json'}"):
        plan, faults = jsontext.read(read_bounded(stored.path / "plan.json", jsontext.MAX_BYTES))
    blocks = plan.get("blocks") if not faults and isinstance(plan, dict) else None
    if not isinstance(blocks, list) or not all(isinstance(block, dict) and isinstance(block.get("index"), int)
                                               and isinstance(block.get("instance"), str) for block in blocks):
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{stored.path}: plan.json is damaged"))
    return plan
