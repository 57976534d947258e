"""weir sweep: every point of some axes, in rounds of random order, into a folder that can be gone on with."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, add_project_arguments, open_project, say
from weir.cli.verbs._quantities import whole
from weir.cli.verbs.run import count_of, items_of
from weir.diagnostics import WeirError, diagnostic
from weir.lab.tuning.candidate import GOALS, THROUGHPUT

if TYPE_CHECKING:
    from weir.lab.sweeping.experiment import Experiment
    from weir.lab.sweeping.points import Points

GROUP = "run"
MEASURES = True
HELP = "measure a project at every point of some axes, in rounds of random order"
INTERRUPTED = 4


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("sweep", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_common(parser, "--json")
    parser.add_argument("--sweep", metavar="S", help="which of the project's sweeps; the first without this")
    parser.add_argument("--vary", action="append", default=[], metavar="K=A,B,C",
                        help="an axis: a project parameter, deployment, scheduler, trace, items, chunk_items or "
                             "/json/pointer, and its values; may be repeated; adds to --sweep, or replaces its axis; "
                             "deployment=* are all of the project")
    parser.add_argument("--aa", action="store_true",
                        help="measure everything twice in each round: what differs then is the machine's, and says "
                             "which differences it can show, with how many rounds")
    parser.add_argument("--best", nargs="?", const=THROUGHPUT, choices=GOALS,
                        help="measure every contender with its own best chunks and buffers, too, which are searched "
                             f"first: by {THROUGHPUT} without a goal")
    parser.add_argument("--loads-of", metavar="D",
                        help="shares of an axis, such as --vary load=10%%,50%%,90%%, are of what this deployment "
                             "sustains, which is searched for first; of what each one itself does, with *")
    parser.add_argument("--deployment", metavar="D", help="where no axis says which; the first without this")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the sweep: its runs and its table")
    parser.add_argument("--resume", action="store_true",
                        help="go on with the sweep in DIR; begin it where there is none")
    parser.add_argument("--quick", action="store_true",
                        help="what the sweep says is its quick form, or at most 3 values of an axis of numbers and 4 "
                             "of another, in 3 rounds and under five minutes once it is built; too little for "
                             "intervals")
    parser.add_argument("--dry-run", action="store_true", help="say what would be measured, and for how long")
    parser.add_argument("--repetitions", type=count_of, metavar="N",
                        help="rounds, each with every point once; those of the sweep, or 8, without this")
    parser.add_argument("--repeats", type=whole(0, 2, "0, 1 or 2"), metavar="N",
                        help="how often a round that others on the machine disturbed is measured again (2)")
    parser.add_argument("--seed", type=count_of, metavar="N",
                        help="decides the order; another one every time without this")
    parser.add_argument("--items", type=items_of, metavar="N", help="items of each source or head, such as 50M")
    add_common(parser, "--param")
    add_common(parser, "--trace")
    parser.add_argument("--fitting", action="store_true",
                        help="leave out points that this machine cannot run: they are pinned to CPUs which it does not "
                             "give, or ask VOLK for what its CPU does not have")
    parser.add_argument("--another-machine", action="store_true",
                        help="go on although it was begun on another machine")
    add_common(parser, "--machine", "--profile", "--progress")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.cli.verbs._progress import SweepProgress
    from weir.lab.sweeping.experiment import Experiment, Place
    from weir.lab.sweeping.request import SweepRequest

    if args.out is None and not args.dry_run:
        raise WeirError(diagnostic("E_USAGE", "", "--out DIR: a sweep needs a folder for its runs"))
    place = Place.look(args.out, args.resume) if args.out else None
    request = SweepRequest.of(vars(args))
    request = place.resumed(request) if place else request
    told = SweepProgress(bool(args.progress), request.project)
    experiment = Experiment(request, open_project(request), told, place, args.another_machine)
    points = experiment.opened()
    if args.dry_run:
        planned = experiment.dry_run(points)
        sys.stdout.write(planned.json_text() if args.json else planned.text())
        return 0
    if args.resume and place and not (place.begun or place.searched):
        say(f"{args.out} has no sweep to go on with: it begins")
    return _measured(args, experiment, points)


def _measured(args: argparse.Namespace, experiment: Experiment, points: Points) -> int:
    from weir.lab.sweeping.answer import COMPLETE
    from weir.model.document import jsontext
    from weir.sure import sure

    goes_on = f"`{shlex.join(['weir', 'sweep', args.project, '--out', str(args.out), '--resume'])}` goes on"
    try:
        answer = experiment.measure(points)
    except KeyboardInterrupt:
        say(f"interrupted; {goes_on}" if sure(experiment.place).has_something
            else "interrupted before anything of the sweep was measured: it begins anew with the same words")
        return INTERRUPTED
    except WeirError as error:
        at_work = any(fault.code == "E_SWEEP_FOLDER" for fault in error.diagnostics)  # another sweep
        if not at_work and sure(experiment.place).has_something:
            say(f"what was measured is kept; {goes_on}")
        raise
    sys.stdout.write(jsontext.write(answer.as_json()) if args.json else answer.text())
    if answer.state != COMPLETE:
        say(goes_on)
    return 0 if answer.ok else INTERRUPTED
