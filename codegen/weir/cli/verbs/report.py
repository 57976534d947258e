"""weir report: turn run directories into one HTML page and its figures."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import say
from weir.diagnostics import WeirError, diagnostic, os_error, trying

if TYPE_CHECKING:
    from weir.engine.measuring.run_directory import StoredRun
    from weir.read.reporting.report import Lead

GROUP = "compare"
HELP = "write a self-contained HTML page and figures from run directories"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("report", help=HELP, description=HELP)
    parser.add_argument("runs", nargs="+", metavar="DIR", type=Path, help="a run directory, or a folder of them")
    parser.add_argument("--compare", action="store_true",
                        help="add a comparison of the second DIR with the first")
    parser.add_argument("-o", "--output", metavar="F.html", type=Path, default=Path("report.html"),
                        help="page to write (default: report.html)")
    parser.add_argument("--figures", metavar="DIR", type=Path,
                        help="folder for the figures (SVG, PNG, PDF) and their data (CSV); default: the page's name "
                             "with _figures")
    parser.add_argument("--watch", action="store_true",
                        help="follow a running sweep: update page and figures after every round until the sweep is "
                             "complete; the page reloads itself")
    parser.add_argument("--json", action="store_true",
                        help="print the points and runs behind the figures of one sweep as JSON, and write no page")
    return parser


def run(args: argparse.Namespace) -> int:
    if args.compare and len(args.runs) != 2:
        raise WeirError(diagnostic("E_USAGE", "", f"--compare takes two DIRs, but {len(args.runs)} were given"))
    if args.json and (args.watch or args.compare):
        raise WeirError(diagnostic("E_USAGE", "", f"--json excludes --{'watch' if args.watch else 'compare'}"))
    if args.json:
        return _outline(args.runs)
    if args.watch:
        if len(args.runs) != 1:
            raise WeirError(diagnostic("E_USAGE", "", f"--watch takes one DIR, but {len(args.runs)} were given"))
        _watch(args)
    else:
        runs, lead = _read(args.runs)
        write_page(runs, args.output, args.figures, _comparison(*args.runs) if args.compare else None, lead)
        _say_written(args, runs)
    return 0


def _watch(args: argparse.Namespace) -> None:
    from weir.files import write_whole
    from weir.read.reporting.report import REFRESH

    page = ""

    def renew() -> bool:
        nonlocal page
        runs, lead = _read(args.runs)
        if lead is None:
            raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{args.runs[0]}: the sweep was removed"))
        page = write_page(runs, args.output, args.figures, None, lead, bool(lead.unfinished))
        if lead.unfinished:
            say(f"wrote {args.output}: {lead.unfinished}")
        else:
            _say_written(args, runs)
        return not lead.unfinished

    def still() -> None:
        if REFRESH in page:
            with trying(f"write {args.output}"):
                write_whole(args.output, page.replace(REFRESH, ""))
            say(f"{args.output} is no longer updated")

    watch(args.runs[0], renew, still)


def _say_written(args: argparse.Namespace, runs: Sequence[StoredRun]) -> None:
    say_written(args.output, args.figures)
    left_out = sum(r.status != "ok" for r in runs)
    if left_out:
        say(f"{left_out} of {len(runs)} runs are not ok; the report lists them and leaves them out of all averages")


def _outline(folders: list[Path]) -> int:
    from weir.lab.sweeping import page, state
    from weir.model.document import jsontext

    at = state.read_state(folders[0]) if len(folders) == 1 else None
    if at is None:
        raise WeirError(diagnostic("E_USAGE", "", "--json takes one DIR that contains a sweep"))
    sys.stdout.write(jsontext.write(page.outline(at)))
    return 0


def _read(folders: list[Path]) -> tuple[list[StoredRun], Lead | None]:
    """Return the runs, and the lead of the page if they are one sweep. Raises WeirError if there is no run."""
    from weir.engine.measuring.run_store import stored_runs
    from weir.lab.sweeping import page, state
    from weir.read.reporting.sections import in_turn, load_runs

    at = state.read_state(folders[0]) if len(folders) == 1 else None
    if at is None:
        return load_runs(folders), None
    runs, faults = stored_runs(at.folder)
    for fault in faults:
        say(f"skipped: {fault.message}")
    return in_turn(runs), page.lead(at, (runs, faults))


def _comparison(a: Path, b: Path):
    from weir.read.comparing.comparison import Options, compare
    from weir.read.reporting.comparison import view

    return view(compare(a, b, Options()))


def figures_of(output: Path, folder: Path | None) -> Path:
    """Return the folder of a page's figures; by default it is named after the page."""
    return folder or output.with_name(output.stem + "_figures")


def write_page(runs: Sequence[StoredRun], output: Path, folder: Path | None,
               comparison: Mapping[str, object] | None = None, lead: Lead | None = None, renewed: bool = False) -> str:
    """Write the page, and its figures into `folder`; return the page. `renewed`: the page reloads itself.

    Raises WeirError if it cannot be written.
    """
    from weir.files import write_whole
    from weir.read.reporting.report import make_report

    figures = figures_of(output, folder)
    try:
        # Write beside the target first: a full disk then leaves no partial page or figures.
        with tempfile.TemporaryDirectory(dir=output.resolve().parent, prefix=".weir-report-") as scratch:
            page = make_report(runs, Path(scratch), comparison, lead, renewed)
            with unbroken():
                write_whole(output, page)
                figures.mkdir(parents=True, exist_ok=True)
                for drawn in sorted(Path(scratch).iterdir()):
                    shutil.move(drawn, figures / drawn.name)
    except OSError as error:
        raise WeirError(os_error(error, f"write {error.filename or output}")) from None
    return page


def say_written(output: Path, folder: Path | None) -> None:
    say(f"wrote {output} and {figures_of(output, folder)}")


#: Seconds between two checks of the folder.
LOOK_S = 1.0
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def watch(folder: Path, renew: Callable[[], bool], still: Callable[[], None]) -> None:
    """Update the page until the sweep is complete.

    `renew` writes page and figures, and returns whether the sweep is complete. `still` stops the page's reloading.
    Raises KeyboardInterrupt if a signal ends it, and WeirError (E_SWEEP_FOLDER) if there is no sweep, or it was
    removed.
    """
    from weir.lab.sweeping.state import read_state
    from weir.machine.processes import machine_lock

    at = read_state(folder)
    if at is None:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder} contains no sweep",
                                   "--watch takes the --out folder of `weir sweep`"))
    with _stopping():
        try:
            drawn = None
            while True:
                now = _last_table(folder)
                if now != drawn:
                    # Drawing during a measurement would disturb it.
                    with machine_lock(lambda: None):
                        if _renewed(folder, at.id, renew):
                            return
                    drawn = now
                time.sleep(LOOK_S)
                _check_there(folder, at.id)
        except BaseException:
            still()
            raise


def _renewed(folder: Path, sweep: str, renew: Callable[[], bool]) -> bool:
    try:
        return renew()
    except WeirError as error:
        _check_there(folder, sweep)
        if error.diagnostics[0].code != "E_RUN_NONE":
            raise
        say(f"{folder}: no measurements yet")
        return False


def _last_table(folder: Path) -> tuple[int, int] | None:
    """Return the identity of the table, which changes after every round."""
    from weir.lab.sweeping.table import TABLE

    try:
        status = (folder / TABLE).stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def _check_there(folder: Path, sweep: str) -> None:
    from weir.lab.sweeping.state import read_state

    now = read_state(folder)
    if now is None or now.id != sweep:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder}: the sweep "
                                   + ("was removed" if now is None else "is a different one now"),
                                   "the page shows the measurements until then"))


@contextmanager
def _stopping() -> Iterator[None]:
    """Treat every terminating signal like Ctrl-C."""
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    # Signals that nohup ignores stay ignored.
    before = {number: signal.signal(number, stop) for number in STOPS if signal.getsignal(number) is not signal.SIG_IGN}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def unbroken() -> Iterator[None]:
    """Defer signals during a short operation, which would otherwise be left half done."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
