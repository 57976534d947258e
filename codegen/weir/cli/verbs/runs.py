"""weir runs: list and remove run directories, and show their history or a trace."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.cli.verbs import _runs_history, _runs_trace, add_common, confirmed, say
from weir.cli.verbs._quantities import whole
from weir.codes import STATUSES
from weir.diagnostics import WeirError, diagnostic, printable

if TYPE_CHECKING:
    from weir.engine.measuring.run_directory import StoredRun
    from weir.engine.measuring.run_store import Fault, RunFilter

GROUP = "compare"
HELP = "list or remove run directories, or show their history or a trace"
DECLINED = 4
RUNS = Path("runs")
AGE_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}

#: Most names to print of files that stay when a run is removed.
MOST_NAMES = 5

#: `weir runs list` mentions the traces of invalid runs from this size on.
LARGE_TRACES_BYTES = 256 << 20


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("runs", help=HELP, description=HELP)
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    list_help = "list the runs of a folder, the oldest first"
    listing = actions.add_parser("list", help=list_help, description=list_help)
    listing.add_argument("--out", action="append", type=Path, metavar="DIR",
                         help="folder of run directories (default: runs); may be repeated: Weir prints one list")
    add_common(listing, "--json")
    listing.add_argument("--damaged", action="store_true",
                         help="with --json: also list unreadable and unfinished runs, each with a reason")
    _add_choice(listing)
    removing = actions.add_parser(
        "rm", help="remove runs, or only their traces", description="remove the named runs, or the runs that the "
        "options select. Weir removes only files that belong to runs, and follows no links.")
    removing.add_argument("runs", nargs="*", metavar="RUN", help="run directory, or its name in the folder")
    removing.add_argument("--out", type=Path, default=RUNS, metavar="DIR",
                          help="folder of run directories (default: runs)")
    _add_choice(removing)
    removing.add_argument("--older-than", type=_age, metavar="AGE",
                          help="select only runs that began at least this long ago, such as 7d or 12h")
    removing.add_argument("--keep", type=whole(0, 999_999_999, "a count"), metavar="N",
                          help="keep the newest N of these runs")
    removing.add_argument("--traces-only", action="store_true", help="remove only the traces, and keep the results")
    removing.add_argument("--dry-run", action="store_true", help="print what would be removed, and remove nothing")
    removing.add_argument("-f", "--force", action="store_true", help="do not ask for confirmation")
    add_common(removing, "--json")
    listing.set_defaults(act=_list)
    removing.set_defaults(act=_remove)
    for action in (_runs_history, _runs_trace):
        action.add_action(actions).set_defaults(act=action.run)
    return parser


def _add_choice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", action="append", default=[], metavar="NAME", dest="projects",
                        help="select only runs of this project; may be repeated")
    parser.add_argument("--deployment", action="append", default=[], metavar="D",
                        help="select only runs of this deployment; may be repeated")
    parser.add_argument("--status", action="append", default=[], choices=STATUSES, metavar="STATUS",
                        help=f"select only runs with this status ({', '.join(STATUSES)}); may be repeated")
    parser.add_argument("--at", action="append", default=[], metavar="K=V",
                        help="select only runs where a parameter, setting or other coordinate has this value, as for "
                             "`weir compare`; may be repeated")


def _age(text: str) -> float:
    found = re.fullmatch(r"(\d{1,9})([smhdw])", text)
    if not found:
        raise argparse.ArgumentTypeError(f"`{text}` is not an age such as 90m, 12h, 7d or 2w")
    return int(found[1]) * AGE_UNITS[found[2]]


def run(args: argparse.Namespace) -> int:
    return args.act(args)


def _filter(args: argparse.Namespace) -> RunFilter:
    from weir.engine.measuring.run_store import RunFilter

    return RunFilter(tuple(args.projects), tuple(args.deployment), tuple(args.status),
                     getattr(args, "older_than", None), getattr(args, "keep", None), tuple(args.at))


def _meant(args: argparse.Namespace, runs: Sequence[StoredRun]) -> list[StoredRun]:
    """Return the runs that the options select. Raises WeirError if `--at` names an unknown coordinate."""
    try:
        return _filter(args).of(runs)
    except WeirError as error:
        [found] = error.diagnostics
        if found.code != "E_RUN_NONE":
            raise
        say(f"{found.message}; {found.hint}")
        return []


def _list(args: argparse.Namespace) -> int:
    from weir.cli.verbs._run_rows import damaged_rows, rows_of
    from weir.engine.measuring.run_store import abandoned, stored_runs
    from weir.model.document import jsontext
    from weir.read.reporting.quantities import binary, duration, si

    folders = _folders(args.out or [RUNS])
    listed = [stored_runs(folder) for folder in folders]
    runs, faults = [run for of, _ in listed for run in of], [fault for _, of in listed for fault in of]
    rows = rows_of(_meant(args, runs), runs)
    if args.json:
        sys.stdout.write(jsontext.write([*rows, *(damaged_rows(folders, faults) if args.damaged else ())]))
    else:
        for row in rows:
            print(f"{row['status']:<8} {si(row['throughput_items_per_s'], 'items/s'):>14} "
                  f"{duration(row['p50_ns']):>10} {binary(row['size_bytes']):>9} {printable(row['run_id'])}"
                  f"{_beside(row)}{'  trace kept' if row['trace_bytes'] else ''}")
        if rows:
            say(f"{_counted(rows, 'run')}, {binary(sum(row['size_bytes'] for row in rows))}")
        else:
            say(f"no {'' if _filter(args).is_everything else 'such '}runs in {' or '.join(map(str, folders))}")
    _say_skipped(faults)
    half_done = len([path for folder in folders for path in abandoned(folder)])
    if half_done:
        say(f"unfinished runs: {half_done}; each is still running or was killed. The next run into this folder "
            "removes killed runs of this host; `weir runs rm NAME` removes the others")
    _say_large_traces([row for row in rows if row["status"] == "invalid"])
    return 0


def _folders(given: Sequence[Path]) -> list[Path]:
    """Return the folders without duplicates, also through links."""
    found: dict[Path, Path] = {}
    for folder in given:
        found.setdefault(folder.resolve(), folder)
    return list(found.values())


def _beside(row: dict) -> str:
    """Return the words of a run's label that its name does not contain, and whether its output was not verified."""
    from weir.read.reporting.summary import UNVERIFIED

    words = [word for word in row["label"].split(" · ") if word not in (row["project"], row["deployment"])]
    words += [UNVERIFIED] if row["unverified"] else []
    return f"  {printable(' · '.join(words))}" if words else ""


def _readable(out: Path) -> list[StoredRun]:
    """Return the runs in a folder. Reports and skips unreadable runs."""
    from weir.engine.measuring.run_store import stored_runs

    runs, faults = stored_runs(out)
    _say_skipped(faults)
    return runs


def _say_skipped(faults: Sequence[Fault]) -> None:
    for fault in faults:
        say(f"skipped: {fault.message}")


def _say_large_traces(invalid: Sequence[dict]) -> None:
    from weir.read.reporting.quantities import binary

    with_trace = [row for row in invalid if row["trace_bytes"]]
    total = sum(row["trace_bytes"] for row in with_trace)
    if total >= LARGE_TRACES_BYTES:
        say(f"the traces of {_counted(with_trace, 'invalid run')} take {binary(total)}; "
             "`weir runs rm --status invalid --traces-only` removes them")


def _remove(args: argparse.Namespace) -> int:
    from weir.engine.measuring.run_directory import remove_abandoned
    from weir.engine.measuring.run_store import disk_bytes, remove, remove_half_done, trace_bytes
    from weir.read.reporting.quantities import binary

    half_done, chosen = _half_done(args), _chosen(args)
    sizes = [trace_bytes(run) if args.traces_only else disk_bytes(run.path) for run in chosen]
    if args.traces_only:
        chosen, sizes = [run for run, size in zip(chosen, sizes) if size], [size for size in sizes if size]
    noun = "trace" if args.traces_only else "run"
    goes = [*((run.path, size, partial(remove, run, args.traces_only)) for run, size in zip(chosen, sizes)),
            *((path, disk_bytes(path), partial(remove_half_done, path)) for path in half_done)]
    what = f"{_counted(goes, noun)}, {binary(sum(size for _, size, _ in goes))}"
    if half_done:
        what += f" (unfinished: {len(half_done)}; Weir cannot tell whether a run of another host has ended)"
    if args.dry_run:
        for path, size, _ in goes if not args.json else ():
            print(f"{binary(size):>9} {path}")
        say(f"would remove {what}")
        _answer(args, [(path, size) for path, size, _ in goes])
        return 0
    if goes and (half_done or not args.runs) and not args.force and not _agreed(f"remove {what}"):
        say("nothing was removed")
        _answer(args, [])
        return DECLINED
    done, freed = 0, 0
    try:
        for path, size, take in goes:
            left = take()
            done, freed = done + 1, freed + size - disk_bytes(path / "trace" if args.traces_only else path)
            if left:
                say(f"{path}: kept files that do not belong to the run: {_some(left)}")
    finally:
        say(f"removed {_counted(goes[:done], noun)}, {binary(freed)} freed")
    if args.out.is_dir():
        remove_abandoned(args.out)
    _answer(args, [(path, size) for path, size, _ in goes])
    return 0


def _answer(args: argparse.Namespace, removed: Sequence[tuple[Path, int]]) -> None:
    from weir.model.document import jsontext

    if args.json:
        sys.stdout.write(jsontext.write({"dry_run": args.dry_run, "traces_only": args.traces_only,
                                         "removed": [{"path": str(path), "bytes": size} for path, size in removed]}))


def _half_done(args: argparse.Namespace) -> list[Path]:
    """Return the named runs that are unfinished. No option selects these."""
    from weir.engine.measuring.run_store import half_done_run, is_half_done

    names = [name for name in dict.fromkeys(args.runs) if is_half_done(name)]
    if names and (args.traces_only or not _filter(args).is_everything):
        raise WeirError(diagnostic("E_USAGE", "", f"weir runs rm: {names[0]} is unfinished, and can only be removed as "
                                   "a whole", "name the run without options that select runs"))
    return [half_done_run(name, args.out)[0] for name in names]


def _chosen(args: argparse.Namespace) -> list[StoredRun]:
    """Return the named runs or, without names, the runs of the folder that the options select."""
    from weir.engine.measuring.run_store import files_of, is_half_done, named_run

    if args.runs:
        chosen = _meant(args, [named_run(name, args.out) for name in dict.fromkeys(args.runs)
                               if not is_half_done(name)])
        for run in chosen:
            files_of(run)
        return chosen
    if _filter(args).is_everything and not args.traces_only:
        raise WeirError(diagnostic("E_USAGE", "", "weir runs rm: no runs are named or selected",
                                   "name runs, or select them with --older-than, --keep, --status, --project, "
                                   "--deployment or --at; --keep 0 selects all"))
    found = [run for run in _readable(args.out) if not run.path.is_symlink()]
    return [run for run in _meant(args, found) if _is_ours(run)]


def _is_ours(run: StoredRun) -> bool:
    """Return whether Weir may remove the run, and report the reason if not."""
    from weir.engine.measuring.run_store import files_of

    try:
        files_of(run)
    except WeirError as error:
        say(f"not removed: {error.diagnostics[0].message}")
        return False
    return True


def _agreed(question: str) -> bool:
    """Ask the person at the terminal. Raises WeirError (E_USAGE) without a terminal."""
    answer = confirmed(question)
    if answer is None:
        raise WeirError(diagnostic("E_USAGE", "", f"{question}: there is no terminal for the confirmation",
                                   "--force does not ask; --dry-run shows what would be removed"))
    return answer


def _some(names: Sequence[str]) -> str:
    """Return the first names of files."""
    return ", ".join(map(printable, names[:MOST_NAMES])) + (" and others" if len(names) > MOST_NAMES else "")


def _counted(things: Sequence[Any], noun: str) -> str:
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"
