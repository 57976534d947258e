"""Rewrite the tables of docs/experiments from the committed tables of the sweeps, so that nobody types a number.

/usr/bin/python3 docs/make_experiments.py [--check]        # renews the pages, or lists those that are out of date
/usr/bin/python3 docs/make_experiments.py --take DIR…      # copies the tables of these sweeps first

A page has a place for each table. Its first line says what the table shows, as JSON:

<!-- table: {"from": "grcon_throughput-stages", "rows": "deployment", "columns": "stages", "show": "elapsed_s"} -->
<!-- end of table -->

`from` is a file of docs/experiments/tables. `rows` and `columns` are axes of the sweep; `show` is a column of its
table, or a list of them. Without `columns`, each of them has its own column. `only` selects values of axes, such as
{"deployment": ["flow"]}. `against` names a value of each axis, such as {"trace": "compiled_out"}: other points have
their difference from that point in per cent.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "experiments"
sys.path.insert(0, str(ROOT / "codegen"))

from weir.diagnostics import WeirError  # noqa: E402
from weir.engine.measuring.results import SHORT_WINDOW_S, has_short_window  # noqa: E402
from weir.lab.sweeping.estimates import MEAN, SPREAD, UNITS, WORDS, Estimated, difference, estimated  # noqa: E402
from weir.lab.sweeping.state import read_state  # noqa: E402
from weir.lab.sweeping.table import TABLE  # noqa: E402
from weir.read.comparing.metrics import median  # noqa: E402
from weir.read.comparing.statistics import MIN_ROUNDS  # noqa: E402
from weir.read.reporting.quantities import MISSING, figure  # noqa: E402
from weir.read.reporting.summary import UNCERTAIN  # noqa: E402

#: Columns of a sweep's table that are committed, after those of its axes.
KEPT = ("round", "point", "round_disturbed", "other_programs", "started", "status", "throughput_items_per_s",
        "window_s", "elapsed_s", MEAN, *SPREAD, "latency_p50_ns", "latency_p99_ns", "latency_lost", "answered",
        "failure_ratio", "kept_up", "of_ceiling", "cpu", "cpus", "cpu_set", "kernel")
#: Columns with text.
TEXTS = ("started", "status", "cpu", "cpu_set", "kernel")
PLACE = re.compile(r"(<!-- table: (\{.*?\}) -->\n).*?(<!-- end of table -->)", re.DOTALL)
Row = dict[str, Any]


class Fault(Exception):
    """Fault of a page or table, in words."""


def rows_of(path: Path) -> tuple[list[str], list[Row]]:
    """Return the axes and the rows of a committed table."""
    with path.open(encoding="utf-8", newline="") as file:
        heads, *lines = csv.reader(file)
    rows = [{head: _value(head, text) for head, text in zip(heads, line)} for line in lines]
    # A sweep measures its points in a random order.
    return heads[:heads.index(KEPT[0])], sorted(rows, key=lambda row: (row["point"], row["round"]))


def _value(head: str, text: str) -> Any:
    if not text or head in TEXTS:
        return text or None
    try:
        return json.loads(text)
    except ValueError:
        return text


def table(wanted: Mapping[str, Any], axes: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a table and of its caption. Raises Fault if the sweep has no such axis or value."""
    down, across = wanted["rows"], wanted.get("columns")
    shows = [wanted["show"]] if isinstance(wanted["show"], str) else list(wanted["show"])
    base: Mapping[str, Any] = wanted.get("against", {})
    for name in (down, *([across] if across else []), *wanted.get("only", {}), *base):
        if name not in axes:
            raise Fault(f"the sweep has no axis `{name}`; it has {', '.join(axes)}")
    for show in shows:
        if show not in WORDS:
            raise Fault(f"`{show}` is no column that a table can show; choose one of {', '.join(WORDS)}")
    only = wanted.get("only", {})
    shown = [row for row in rows if all(row[name] in values for name, values in only.items())]
    bases = [row for row in rows if all(row[name] in values for name, values in only.items() if name not in base)]
    if not shown:
        raise Fault("no run has the values of `only`")
    if across:
        columns = [(place, shows) for place in dict.fromkeys(row[across] for row in shown)]
        head = [f"{'; '.join(WORDS[show] for show in shows)}, by {across}", *(_cell(place) for place, _ in columns)]
    else:
        columns = [(None, [show]) for show in shows]
        head = [down, *(WORDS[show] for show in shows)]
    yield _line(head)
    yield _line(["---"] * len(head))
    for name in dict.fromkeys(row[down] for row in shown):
        cells = []
        for place, parts in columns:
            here = [row for row in shown if row[down] == name and (not across or row[across] == place)]
            there = {down: name, **({across: place} if across else {}), **base}
            against = [row for row in bases if all(row[axis] == value for axis, value in there.items())]
            cells.append("; ".join(_entry(here, against if base and against != here else [], show) for show in parts))
        yield _line([f"`{name}`", *cells])
    yield ""
    yield fill(" ".join(_said(wanted["from"], shown, shows, bool(base))), 120, break_long_words=False,
               break_on_hyphens=False)


def _cell(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _entry(rows: Sequence[Row], base: Sequence[Row], show: str) -> str:
    """Return a cell: the estimate, its interval or the range of the rounds, and a star after a short window."""
    if any(row["kept_up"] is False for row in rows):
        return "not kept up"
    good = [row for row in rows if row["status"] == "ok" and row[show] is not None]
    it = difference(base, rows, show) if base else estimated(rows, show)
    if it.value is None:
        return MISSING
    unit = "%" if base else UNITS[show]
    star = "\\" + UNCERTAIN if any(map(has_short_window, good)) else ""
    if it.below is not None:
        return f"below {figure(it.below, unit)}{star}"
    ends = _ends(rows, good, show, it, bool(base))
    between = "…" if base else "–"
    return f"{figure(it.value, unit)}{star}" + (f" ({between.join(figure(end, unit) for end in ends)})" if ends else "")


def _ends(rows: Sequence[Row], good: Sequence[Row], show: str, it: Estimated,
          differs: bool) -> tuple[float, float] | None:
    """Return what the brackets show: percentiles of a mean, the interval, or the range of the rounds."""
    if show == MEAN and not differs:
        low, high = (estimated(rows, column).value for column in SPREAD)
        return None if low is None or high is None else (low, high)
    if it.interval or differs:
        return it.interval
    values = [float(row[show]) for row in good]
    return (min(values), max(values)) if len(values) > 1 else None


def _said(name: str, rows: Sequence[Row], shows: Sequence[str], differs: bool) -> Iterator[str]:
    """Yield the sentences below a table."""
    rounds, enough = len({row["round"] for row in rows}), len({row["round"] for row in rows}) >= MIN_ROUNDS
    form = f"{rounds} round{'s' * (rounds != 1)}" + ("" if enough else " (no intervals)")
    days = sorted({str(row["started"])[:10] for row in rows if row["started"]})
    machines = dict.fromkeys(f"{row['cpus']} CPUs of {row['cpu']}, {' '.join(str(row['kernel']).split()[:2])}"
                             for row in rows)
    yield f"[{name}.csv](tables/{name}.csv): {form}, {' to '.join(dict.fromkeys((days[0], days[-1])))}, on " + (
        f"{', '.join(machines)}.")
    mean = MEAN in shows and not differs
    others = "" if shows == [MEAN] and mean else "95 % intervals" if enough else (
        "the range of the rounds" if rounds > 1 and not differs else "")
    if mean or others:
        yield "In brackets: " + "; ".join(["5th and 95th percentile of a mean"] * mean + [others] * bool(others)) + "."
    shares = [row["other_programs"] for row in rows if row["other_programs"] is not None]
    if shares:
        low, middle, high = (f"{100 * value:.2g}" for value in (min(shares), median(shares) or 0, max(shares)))
        disturbed = len({row["round"] for row in rows if row["round_disturbed"]})
        yield (f"Interference: {low} to {high} % (median {middle} %), {disturbed} disturbed "
               f"round{'s' * (disturbed != 1)}.")
    if any(has_short_window(row) for row in rows if row["status"] == "ok"):
        yield f"\\{UNCERTAIN} uncertain: a window under {SHORT_WINDOW_S} s."


def renewed(text: str, tables: Path) -> str:
    """Return a page with its tables. Raises Fault if the first line of a table is wrong."""
    def one(found: re.Match) -> str:
        try:
            wanted = json.loads(found[2])
            axes, rows = rows_of(tables / f"{wanted['from']}.csv")
            lines = "\n".join(table(wanted, axes, rows))
        except OSError as error:
            raise Fault(f"{found[2]}: {error.strerror}: {error.filename}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Fault(f"{found[2]}: {type(error).__name__}: {error}") from None
        except Fault as fault:
            raise Fault(f"{found[2]}: {fault}") from None
        return f"{found[1]}\n{lines}\n\n{found[3]}"

    return PLACE.sub(one, text)


def take(folder: Path, tables: Path) -> Path:
    """Copy the table of a sweep to the committed tables, with the columns that pages use. Returns its path.

    Raises Fault if the folder has no table of a sweep.
    """
    at = read_state(folder)
    if at is None:
        raise Fault(f"{folder} contains no sweep")
    try:
        with (folder / TABLE).open(encoding="utf-8", newline="") as file:
            heads, *lines = csv.reader(file)
    except OSError as error:
        raise Fault(f"{folder / TABLE}: {error.strerror}") from None
    axes = heads[:heads.index(KEPT[0])]
    kept = [heads.index(name) for name in (*axes, *KEPT)]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([line[i] for i in kept] for line in [heads, *lines])
    tables.mkdir(exist_ok=True)
    path = tables / f"{'-'.join(str(it) for it in (at.value['project'], at.value['sweep']) if it)}.csv"
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def main(arguments: Sequence[str], pages: Path = PAGES) -> int:
    """Renew or check the pages. Returns 1 if a page is out of date, 2 for other arguments, 3 for a wrong place."""
    checks = list(arguments) == ["--check"]
    if arguments and not checks and (arguments[0] != "--take" or len(arguments) < 2):
        print(__doc__, file=sys.stderr)
        return 2
    stale = False
    try:
        for folder in [] if checks else arguments[1:]:
            print(take(Path(folder), pages / "tables"))
        for page in sorted(pages.glob("*.md")):
            text = page.read_text(encoding="utf-8")
            try:
                made = renewed(text, pages / "tables")
            except Fault as fault:
                raise Fault(f"{page.name}: {fault}") from None
            if made != text:
                stale = True
                print(f"{page.name} is out of date" if checks else f"{page.name} is renewed")
                if not checks:
                    page.write_text(made, encoding="utf-8")
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 3
    except WeirError as error:
        print(*(it.message for it in error.diagnostics), sep="\n", file=sys.stderr)
        return 3
    return int(stale and checks)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
