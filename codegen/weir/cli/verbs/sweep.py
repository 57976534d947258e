"""weir sweep: measure a project with every combination of some settings, in rounds, into a resumable folder."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, add_hosting_arguments, add_project_arguments, ask_for_trust, open_project, say
from weir.cli.verbs._quantities import whole
from weir.cli.verbs.run import count_of, items_of
from weir.diagnostics import WeirError, diagnostic
from weir.lab.tuning.candidate import GOALS, THROUGHPUT

if TYPE_CHECKING:
    from weir.lab.sweeping.experiment import Experiment
    from weir.lab.sweeping.points import Points

GROUP = "run"
MEASURES = True
HELP = "measure a project with every combination of some settings, in rounds of random order"
INTERRUPTED = 4


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("sweep", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_common(parser, "--json")
    parser.add_argument("--sweep", metavar="S", help="sweep of the project to run (default: the first)")
    parser.add_argument("--vary", action="append", default=[], metavar="K=A,B,C",
                        help="add an axis with its values, or replace that axis of the sweep; K is a project "
                             "parameter, deployment, scheduler, trace, items, chunk_items or /json/pointer; "
                             "deployment=* means all deployments; may be repeated")
    parser.add_argument("--aa", action="store_true",
                        help="A/A test: measure every point twice in each round. Differences then come from the "
                             "machine, and show which difference a sweep can detect in how many rounds")
    parser.add_argument("--best", nargs="?", const=THROUGHPUT, choices=GOALS,
                        help="first search for the best chunks and buffers of each contender, and also measure it with "
                             f"these (default goal: {THROUGHPUT})")
    parser.add_argument("--loads-of", metavar="D",
                        help="percentages on an axis (--vary load=10%%,50%%,90%%) are shares of the rate that this "
                             "deployment sustains; with *, of the rate that each deployment sustains. Weir first "
                             "searches for these rates")
    parser.add_argument("--deployment", metavar="D", help="deployment of points without a deployment axis (default: "
                                                          "the first)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the sweep, for its runs and its table")
    parser.add_argument("--resume", action="store_true",
                        help="continue the sweep in DIR; if there is none, begin one")
    parser.add_argument("--quick", action="store_true",
                        help="run the sweep's quick form, or else at most 3 values of a numeric axis and 4 of another, "
                             "in 3 rounds and under five minutes after the build; 3 rounds are too few for intervals")
    parser.add_argument("--dry-run", action="store_true", help="print the points and the estimated time, and measure "
                                                               "nothing")
    parser.add_argument("--repetitions", type=count_of, metavar="N",
                        help="number of rounds, each of which runs every point once (default: the sweep's, or 8)")
    parser.add_argument("--repeats", type=whole(0, 2, "0, 1 or 2"), metavar="N",
                        help="most repetitions of a round that other programs disturbed (default: 2)")
    parser.add_argument("--seed", type=count_of, metavar="N",
                        help="seed of the random order (default: a new one each time)")
    parser.add_argument("--items", type=items_of, metavar="N",
                        help="items that each source or head produces, such as 50M")
    add_hosting_arguments(parser)
    add_common(parser, "--param")
    add_common(parser, "--trace")
    parser.add_argument("--fitting", action="store_true",
                        help="leave out points that this machine cannot run: those pinned to CPUs that Weir may not "
                             "use, those with a VOLK implementation that the CPU lacks, and those whose runtime is "
                             "missing, which otherwise end the sweep with exit code 4")
    parser.add_argument("--another-machine", action="store_true",
                        help="continue a sweep that began on another machine")
    add_common(parser, "--on", "--machine", "--profile", "--progress")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.cli.verbs._progress import SweepProgress
    from weir.lab.sweeping.experiment import Experiment, Place
    from weir.lab.sweeping.request import SweepRequest

    if args.out is None and not args.dry_run:
        raise WeirError(diagnostic("E_USAGE", "", "--out DIR is missing: a sweep needs a folder for its runs"))
    place = Place.look(args.out, args.resume) if args.out else None
    request = SweepRequest.of(vars(args))
    request = place.resumed(request) if place else request
    progress = SweepProgress(bool(args.progress), request.project)
    pipeline = open_project(request)
    if not args.dry_run:
        ask_for_trust(args.trust, args.project, pipeline)
    experiment = Experiment(request, pipeline, progress, place, args.another_machine,
                            elsewhere=bool(args.dry_run and request.machine))
    points = experiment.opened()
    if args.dry_run:
        planned = experiment.dry_run(points)
        sys.stdout.write(planned.json_text() if args.json else planned.text())
        return 0
    if args.resume and place and not (place.begun or place.searched):
        say(f"{args.out} has no sweep to continue; Weir begins a new one")
    return _measured(args, experiment, points)


def _measured(args: argparse.Namespace, experiment: Experiment, points: Points) -> int:
    from weir.lab.sweeping.answer import COMPLETE
    from weir.model.document import jsontext
    from weir.sure import sure

    resuming = f"to continue: {shlex.join(['weir', 'sweep', args.project, '--out', str(args.out), '--resume'])}"
    try:
        answer = experiment.measure(points)
    except KeyboardInterrupt:
        say(f"interrupted; {resuming}" if sure(experiment.place).has_something
            else "interrupted before the first measurement; to begin again, repeat the command")
        return INTERRUPTED
    except WeirError as error:
        at_work = any(fault.code == "E_SWEEP_FOLDER" for fault in error.diagnostics)  # another sweep
        if not at_work and sure(experiment.place).has_something:
            say(f"the measurements are kept; {resuming}")
        raise
    sys.stdout.write(jsontext.write(answer.as_json()) if args.json else answer.text())
    if answer.state != COMPLETE:
        say(resuming)
    if answer.lacks_runtimes:
        say("the sweep is incomplete, because runtimes are missing; --fitting leaves out their points on purpose")
    return 0 if answer.ok else INTERRUPTED
