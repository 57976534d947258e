"""weir run: build, run and measure deployments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, add_hosting_arguments, add_project_arguments, open_valid, say
from weir.cli.verbs._quantities import whole
from weir.cli.verbs._running import plans_to_run, prepare_all, shown
from weir.diagnostics import wants_colour

if TYPE_CHECKING:
    from weir.engine.measuring.listener import Listener
    from weir.engine.measuring.runnable import Finished, Runnable, RunOptions
    from weir.engine.pipeline import Pipeline

GROUP = "run"
MEASURES = True
HELP = "build and run the deployments of a project, and report throughput and latency"
INTERRUPTED = 4
#: Parser of counts.
count_of = whole(1, 2**63 - 1, "a count of 1 or more")
#: Modules that are needed only after the build. They load while the compiler runs.
_NEEDED_TO_RUN = ("weir.engine.measuring.runner", "weir.engine.measuring.trace", "weir.engine.verifying.verify",
                  "weir.read.reporting.summary",
                  "jsonschema")


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("run", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_common(parser, "--json")
    parser.add_argument("--deployment", action="append", default=[], metavar="D", dest="deployment",
                        help="deployment to run (default: the first of the project); may be repeated")
    parser.add_argument("--repeat", type=count_of, metavar="N",
                        help="runs of each deployment, in random order (default: the project's `repetitions`)")
    add_measuring_arguments(parser)
    parser.add_argument("--verify", action="store_true",
                        help="check the output of the binaries against the blocks' reference implementations, and "
                             "measure nothing")
    add_common(parser, "--on", "--progress")
    return parser


def add_measuring_arguments(parser: argparse._ActionsContainer) -> None:
    """Add the options of the runs, except their number."""
    parser.add_argument("--items", type=items_of, metavar="N",
                        help="items that each source or head produces, such as 50M")
    add_common(parser, "--param")
    add_hosting_arguments(parser)
    add_common(parser, "--trace")
    parser.add_argument("--keep-trace", action="store_true",
                        help="keep the trace in the run directory; without this, Weir deletes it after the analysis")
    parser.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR",
                        help="folder of run directories (default: runs)")
    add_common(parser, "--machine", "--profile")


def items_of(text: str) -> int:
    """Parse a count with the suffixes of a project file. Raises ArgumentTypeError if it is malformed."""
    from weir.model.document.expressions import ExpressionError, evaluate

    try:
        value = evaluate(text)
    except ExpressionError:
        value = 0
    if not isinstance(value, int) or value < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is not a count of 1 or more, such as 100000 or 50M")
    return value


def run(args: argparse.Namespace) -> int:
    from weir.engine.measuring.listener import Listener
    from weir.engine.pipeline import measure

    pipeline = open_valid(args)
    project = pipeline.checked.valid().project
    names = _deployments(args, project)
    stream = sys.stderr if args.json else sys.stdout

    def show(one: Finished) -> None:
        if not args.json:
            print(summary.run(one.results, shown(one.path)) + "\n", file=stream, flush=True)

    listener = Listener(say, _progress if args.progress else None, show)
    with ready_to_run(args, pipeline, names, listener, not args.verify) as (runnables, options):
        from weir.engine.measuring.runner import exit_code  # loaded already, during the build
        from weir.read.reporting.summary import Summary

        summary = Summary(wants_colour(stream))
        if args.verify:
            return _verify(args, runnables, options, listener)
        measured = measure(runnables, options, listener, pipeline.checked.catalog)
    results = [one.results for one in measured.runs]
    if args.json:
        _print_json(results)
    else:
        table = summary.comparison(results, [it.plan["deployment"] for it in runnables])
        if table:
            print(table, file=stream)
    return INTERRUPTED if measured.interrupted else exit_code(measured.runs)


@contextmanager
def ready_to_run(args: argparse.Namespace, pipeline: Pipeline, names: list[str | None], listener: Listener,
                 measures: bool = True) -> Iterator[tuple[list[Runnable], RunOptions]]:
    """Build these deployments, start the tracers that they need, and yield the binaries with the runs' options.

    `measures`: the runs are traced and write run directories.
    """
    from weir.engine.measuring.disk_watch import check_folder
    from weir.engine.measuring.readying import readying
    from weir.engine.measuring.request import RunRequest

    pipeline.check_params(args.params, names)
    planned = plans_to_run(pipeline, names, args.project, args.trace)
    if measures:
        check_folder(args.out.absolute())
    tracers = {pipeline.tracer(one.plan, args.trace) for one in planned} if measures else set()
    with readying(tracers, _NEEDED_TO_RUN) as ready:
        runnables = prepare_all(pipeline, planned, RunRequest.of(vars(args)).command, listener)
        from weir.engine.measuring.runnable import RunOptions  # loaded already, during the build

        options = RunOptions(args.out.absolute(), args.repeat or pipeline.checked.loaded().run.repetitions, args.trace,
                             args.items, args.keep_trace, tuple(args.params))
        ready()
        yield runnables, options


def _verify(args: argparse.Namespace, runnables: list[Runnable], options: RunOptions, listener: Listener) -> int:
    from weir.diagnostics import printable
    from weir.engine.measuring.runner import verify_all

    try:
        found = verify_all(runnables, options, listener)
    except KeyboardInterrupt:
        return INTERRUPTED
    if args.json:
        _print_json([{"project": it.plan["project"], "deployment": it.plan["deployment"],
                      "scheduler": it.plan["scheduler"], "ok": one.ok, "message": one.message,
                      "verification": one.as_json()} for it, one in zip(runnables, found)])
    else:
        for it, one in zip(runnables, found):
            verdict = "verified" if one.ok else "NOT VERIFIED"
            print(printable(f"{it.plan['project']} · {it.plan['deployment']}  {verdict}: {one.message}"))
    return 0 if all(one.ok for one in found) else 4


def _progress(value: dict) -> None:
    from weir.engine.measuring.child import emit_progress

    emit_progress(value)


def _print_json(results: list[dict]) -> None:
    from weir.model.document import jsontext

    sys.stdout.write(jsontext.write(results))


def _deployments(args: argparse.Namespace, project) -> list[str | None]:
    names = list(dict.fromkeys(args.deployment))
    for name in names:
        project.deployment(name)
    return names or [None]
