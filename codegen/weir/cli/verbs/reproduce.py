"""weir reproduce: repeat the sweep of a capsule, or single runs, on this machine, and report the differences."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import (
    _reproduce_runs,
    add_catalog_arguments,
    add_common,
    confirmed,
    open_project,
    refuse_given,
    say,
)
from weir.cli.verbs._quantities import whole
from weir.cli.verbs._running import shown
from weir.diagnostics import WeirError, diagnostic, printable, trying

if TYPE_CHECKING:
    from weir.interop.capsule.checking import Checked
    from weir.lab.sweeping.request import SweepRequest
    from weir.lab.sweeping.state import State

GROUP = "share"
MEASURES = True
HELP = "repeat the sweep of a capsule and judge whether the results agree, or repeat runs and list the differences"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("reproduce", help=HELP, description=HELP + ". Weir repeats several runs in random order, "
                            "so that `weir compare` can pair them. Exit codes for a capsule: 0 the sweeps agree; 1 the "
                            "sweeps differ; 4 there is too little data, or the reproduction was interrupted.")
    parser.add_argument("subjects", nargs="+", metavar="RUN|F.zip", type=Path,
                        help="run directories, or one capsule, which `weir export SWEEP -o F.zip` writes")
    parser.add_argument("--out", type=Path, metavar="DIR",
                        help="folder of the new run directories (default: runs); several RUNs go into its subfolders "
                             "a, b, …; for a capsule, folder of its contents and of the new sweep (default: the "
                             "capsule's name with -reproduced)")
    parser.add_argument("--trust", action="store_true",
                        help="do not ask: compile and run the code of the capsule or of the run with your rights, and "
                             "read the folders that the run needs")
    add_common(parser, "--json")
    capsule = parser.add_argument_group("options for capsules")
    capsule.add_argument("--resume", action="store_true", help="continue an interrupted reproduction in DIR")
    capsule.add_argument("--quick", action="store_true",
                         help="measure less, like `weir sweep --quick`: this shows that everything builds and runs, "
                              "but not that the sweeps agree")
    runs = parser.add_argument_group("options for runs")
    runs.add_argument("--repeat", type=whole(1, 10_000, "a count from 1 to 10000"), metavar="N",
                      help="repetitions of each run (default: 1)")
    runs.add_argument("--folder", type=Path, metavar="DIR",
                      help="folder that relative paths in the project start from, if the project's folder has moved")
    add_common(runs, "--allow-path")
    add_catalog_arguments(runs)
    parser.set_defaults(of_capsules=capsule._group_actions, of_runs=runs._group_actions)
    return parser


def run(args: argparse.Namespace) -> int:
    files = [path for path in args.subjects if path.is_file() or path.suffix == ".zip"]
    if files:
        if len(args.subjects) > 1:
            raise WeirError(diagnostic("E_USAGE", "", f"{files[0]} is a capsule; `weir reproduce` takes one capsule "
                                       "and nothing else"))
        refuse_given(args, args.of_runs, "needs run directories")
        return _capsule(args)
    refuse_given(args, args.of_capsules, "needs a capsule")
    return _reproduce_runs.run(args)


INTERRUPTED = 4
UNPACKED, MEASURED, ANSWER = "capsule", "sweep", "reproduction.json"


def _capsule(args: argparse.Namespace) -> int:
    """Measure the sweep of the capsule again, and judge whether the two agree."""
    from weir.files import write_whole
    from weir.interop.capsule.checking import checked
    from weir.interop.capsule.layout import SWEEP
    from weir.interop.capsule.reproduction import reproduction
    from weir.lab.sweeping.state import read_state
    from weir.model.document import jsontext

    capsule = checked(args.subjects[0])
    say(f"{args.subjects[0]}: the checksums of {len(capsule.sums)} files are right; sha256 {capsule.hash}")
    out = args.out or Path(f"{args.subjects[0].stem}-reproduced")
    _check_folder(out, args)
    _want_trust(capsule, args)
    folder = out / UNPACKED
    if not folder.exists():
        capsule.unpack(folder)
    capsule.stands(folder)
    there = read_state(folder / SWEEP)
    assert there is not None  # the check ensures this
    here = _measured(capsule, there, folder, out, args)
    if here is None:
        say(f"to continue: {_resume(args, out)}")
        return INTERRUPTED
    answer = reproduction(capsule, there, here, args.quick)
    with trying(f"write {out / ANSWER}"):
        write_whole(out / ANSWER, jsontext.write(answer.as_json()))
    sys.stdout.write(jsontext.write(answer.as_json()) if args.json else answer.text())
    say(f"the runs are in {shown(out / MEASURED)} (`weir report` reads them); the answer is in {shown(out / ANSWER)}")
    return answer.exit_code


def _check_folder(out: Path, args: argparse.Namespace) -> None:
    """Raise WeirError (E_OUTPUT_EXISTS) if the folder has contents and is not to be resumed."""
    with trying(f"look into {out}"):
        there = out.is_symlink() or out.exists() and (not out.is_dir() or any(out.iterdir()))
    if there and not (args.resume and out.is_dir()):
        raise WeirError(diagnostic("E_OUTPUT_EXISTS", "", f"{out} already exists",
                                   "--resume continues an interrupted reproduction; otherwise name another --out"))


def _want_trust(capsule: Checked, args: argparse.Namespace) -> None:
    """Raise WeirError (E_UNTRUSTED) unless the user trusts the capsule's code and files, by option or at the terminal.
    """
    from weir.interop.capsule.equality import brought

    wanted = brought(capsule.sums)
    params = capsule.params_that_may_be_files()
    if not wanted and not params:
        say("the capsule contains no code that Weir would compile")
        return
    parts = ("code that Weir compiles and runs with your rights", wanted), ("files that blocks read or write", params)
    said = printable("; ".join(f"{what}: {', '.join(names)}" for what, names in parts if names))
    if not args.trust and not confirmed(f"{args.subjects[0]} contains {said}; do you trust this capsule"):
        raise WeirError(diagnostic("E_UNTRUSTED", "", f"{args.subjects[0]} contains {said}",
                                   f"read the code first (`{shlex.join(['unzip', str(args.subjects[0]), 'code/*'])}`); "
                                   "--trust allows it"))


def _measured(capsule: Checked, there: State, folder: Path, out: Path, args: argparse.Namespace) -> State | None:
    """Measure the sweep on this machine. Returns None if it was interrupted; raises WeirError if it is impossible."""
    from weir.cli.verbs._progress import SweepProgress
    from weir.lab.sweeping.experiment import Experiment, Place
    from weir.lab.sweeping.record import record_of
    from weir.lab.sweeping.state import read_state

    place = Place.look(out / MEASURED, args.resume)
    request = place.resumed(_request(capsule, there, folder, args.quick))
    try:
        experiment = Experiment(request, open_project(request), SweepProgress(False, request.project), place)
        sys.stderr.write(experiment.measure(experiment.opened()).text())  # standard output has only the answer
    except KeyboardInterrupt:
        return None
    except WeirError as error:
        raise WeirError(error.diagnostics, error.exit_code, error.source or request.project) from None
    here = read_state(out / MEASURED)
    if here is None or not request.quick and record_of(here)[0].following is not None:
        return None
    return here


def _request(capsule: Checked, there: State, folder: Path, quick: bool) -> SweepRequest:
    """Return the capsule's request with its own project, code and inputs, and with its order unless `quick`."""
    from weir.interop.capsule.layout import INPUTS
    from weir.interop.capsule.packing import code_folders
    from weir.lab.sweeping.request import DECIDED, SweepRequest

    inputs = {name: folder / INPUTS / f"{name}.json" if f"{INPUTS}/{name}.json" in capsule.sums else None
              for name in ("machine", "profile")}
    decided = {name: None if quick and name != "seed" else there.value[name] for name in DECIDED}
    request = there.value["request"]
    return SweepRequest.of({**request, **decided, **inputs, **code_folders(capsule.sums, folder), "allow_path": (),
                            "project": str(folder / capsule.about["project_file"]), "sets": (),
                            "quick": quick or request["quick"], "fitting": True})


def _resume(args: argparse.Namespace, out: Path) -> str:
    options = [f"--{name}" for name in ("quick", "trust", "json") if getattr(args, name)]
    return shlex.join(["weir", "reproduce", str(args.subjects[0]), "--out", str(out), "--resume", *options])
