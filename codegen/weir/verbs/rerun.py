"""weir rerun: does a run again from its run directory alone, and says what is not as it was."""

from __future__ import annotations

import argparse
import string
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weir.diagnostics import WeirError, diagnostic
from weir.verbs import add_json_argument, say, show
from weir.verbs._running import plans_to_run, prepare, shown

if TYPE_CHECKING:
    from weir.comparing.remake import Remake
    from weir.measuring.runner import Finished, Listener, Runnable

HELP = "build and do a run again from its run directory, and list what differs"
INTERRUPTED = 4
MOST = len(string.ascii_lowercase)


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("rerun", help=HELP, description=HELP + "; several runs are interleaved at random, for "
                            "`weir compare`")
    parser.add_argument("runs", nargs="+", metavar="RUN", type=Path, help="a run directory")
    parser.add_argument("--repeat", type=_count, default=1, metavar="N", help="how often each is done again (1)")
    parser.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR",
                        help="folder of the new run directories (runs); with several RUNs, of folders a, b, … of them")
    parser.add_argument("--folder", type=Path, metavar="DIR",
                        help="where the project's relative paths start, where that is another folder now")
    add_json_argument(parser)
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"`{text}` is not a count from 1 to 10000")
    return int(text)


def run(args: argparse.Namespace) -> int:
    from weir.comparing.remake import read_remake
    from weir.document import jsontext
    from weir.measuring.runner import Listener, RunOptions, exit_code, run_all
    from weir.reporting.summary import Summary, wants_colour

    if len(args.runs) > MOST:
        raise WeirError(diagnostic("E_USAGE", "", f"{len(args.runs)} runs at once; at most {MOST}"))
    remakes = [read_remake(path) for path in args.runs]
    out = args.out.absolute()
    folders = [out] if len(remakes) == 1 else [out / letter for letter in string.ascii_lowercase[:len(remakes)]]
    summary = Summary(wants_colour(sys.stdout))
    finished: list[Finished] = []

    def tell(one: Finished) -> None:
        finished.append(one)
        if not args.json:
            print(summary.run(one.results, shown(one.path)) + "\n", flush=True)

    listener = Listener(say, None, tell)
    runnables = [_runnable(remake, args.folder, folder, listener) for remake, folder in zip(remakes, folders)]
    interrupted = False
    try:
        run_all(runnables, RunOptions(out, args.repeat), listener)
    except KeyboardInterrupt:
        interrupted = True
    answers = [_answer(remake, folder, finished) for remake, folder in zip(remakes, folders)]
    if args.json:
        sys.stdout.write(jsontext.write([answer for answer in answers if answer]))
    else:
        for remake, answer in zip(remakes, answers):
            if answer:
                print(_text(remake, answer))
            else:
                print(f"{shown(remake.run.path)}: interrupted before it was done again")
    return INTERRUPTED if interrupted else exit_code(finished)


def _runnable(remake: Remake, elsewhere: Path | None, out: Path, listener: Listener) -> Runnable:
    """Checked, planned and built again. WeirError where it cannot be any more."""
    from weir.pipeline import Folders, Pipeline

    folder, request = (elsewhere or remake.folder).absolute(), remake.request
    if not folder.is_dir():
        raise WeirError(diagnostic("E_FILE_MISSING", "", f"the project's folder {folder} is gone",
                                   "--folder DIR names the one where its relative paths start now"))
    source = str(remake.run.path / "project.json")
    pipeline = Pipeline.open(remake.project, directory=folder, folders=Folders.of_options(request["catalog_paths"]),
                             machine=remake.machine)
    try:
        pipeline.valid([remake.deployment])
    except WeirError as error:
        show(error.diagnostics, source)
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{source} is not valid any more",
                                   "Weir, or a block outside the tree, has changed since")) from None
    planned, = plans_to_run(pipeline, [remake.deployment], source, request["trace"])
    made = prepare(pipeline, planned, remake.run.run["command"], listener)
    own = {"out": out, "trace": request["trace"], "items": request["items"],
           "keep_trace": request["keep_trace"], "params": tuple(request["params"])}
    return replace(made, own=own)


def _answer(remake: Remake, folder: Path, finished: list[Finished]) -> dict | None:
    """None where no run of it was begun."""
    from weir.comparing.differences import differences
    from weir.comparing.remake import checks
    from weir.measuring.run_directory import load_run

    paths = [one.path for one in finished if one.path.parent == folder]
    if not paths:
        return None
    now = load_run(paths[-1])
    return {"run": str(remake.run.path), "runs": [str(path) for path in paths], "status": now.status,
            "same": checks(remake.run, now).as_json(),
            "differences": [d.as_json() for d in differences(remake.run, now)]}


def _text(remake: Remake, answer: dict) -> str:
    from weir.comparing.differences import Difference
    from weir.reporting.comparison import SHOWN, difference_lines

    said = ", ".join(f"{what} {'as it was' if same else 'DIFFERS'}" for what, same in answer["same"].items())
    found = [Difference(d["part"], d["pointer"], d.get("a"), d.get("b"), "a" in d, "b" in d)
             for d in answer["differences"]]
    lines = [f"{shown(remake.run.path)}: {said}", *(f"  {line}" for line in difference_lines(found, SHOWN))]
    return "\n".join(lines if found else [*lines, "  nothing differs"])
