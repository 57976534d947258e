"""Output of a comparison: lines for the terminal, Markdown for pull requests, and rows for the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from weir.diagnostics import printable
from weir.engine.measuring.results import SHORT_WINDOW_S
from weir.read.comparing.comparison import Compared, Comparison
from weir.read.comparing.differences import Difference
from weir.read.comparing.estimates import BETTER, IN_DOUBT, NOT_COMPARABLE, SAME, TOO_FEW, WORSE, Measured, Noted
from weir.read.comparing.sides import ONE_AFTER_OTHER
from weir.read.reporting.quantities import MISSING, aligned, grouped, quantity

#: Maximum number of differences of a part to print; `--json` has all.
SHOWN = 5
SHOWN_MARKDOWN = 3
LONGEST_VALUE = 40
CAVEAT = ("the sides were measured one after the other, so a change of the machine in between looks like a difference; "
          "the drift within each side widens the interval")
#: Ratios from here on are written as multiples instead of percentages.
TIMES = 3
#: Mark after a ratio of rates over windows under 0.2 s.
SHORT = " *"
#: Width of the plot of intervals. An odd number has a column for 0.
_PLOT_COLUMNS = 61
_COLOURS = {BETTER: "1;32", WORSE: "1;31", TOO_FEW: "1;33", NOT_COMPARABLE: "1;33", IN_DOUBT: "1;33"}
_MARKS = {BETTER: "🟢", WORSE: "🔴", TOO_FEW: "⚪", NOT_COMPARABLE: "⚪", IN_DOUBT: "⚪"}


def percent(ratio: float) -> str:
    """Return a ratio B over A as a change: +4.8 %, −0.32 %; large ones as a multiple: ×22.1, ÷6.0.

    The editor uses the same format.
    """
    if _is_multiple(ratio):
        return _multiple(ratio)
    change = (ratio - 1.0) * 100.0
    text = f"{abs(change):.1f}" if abs(change) >= 10 else f"{abs(change):.2f}"
    return f"{'−' if change < 0 else '+'}{text} %"


def _is_multiple(ratio: float) -> bool:
    return ratio > 0 and max(ratio, 1 / ratio) >= TIMES


def _multiple(ratio: float) -> str:
    if ratio <= 0:
        return MISSING
    times = max(ratio, 1 / ratio)
    text = f"{times:.2f}" if times < 1.995 else f"{times:.1f}" if times < 100 else grouped(round(times))
    return ("×" if ratio >= 1 else "÷") + text


def ratio(measured: Measured) -> str:
    """Return the ratio as text, with a mark if some windows were too short."""
    if measured.ratio is None:
        return MISSING
    return _say(measured)(measured.ratio) + (SHORT if measured.short_windows else "")


def _say(measured: Measured) -> Callable[[float], str]:
    """Return the common format of a ratio and both ends of its interval."""
    return _multiple if any(map(_is_multiple, (measured.ratio, *(measured.interval or ())))) else percent


def interval(measured: Measured) -> str:
    """Return the interval as text: `+1.20 % … +4.80 %`, `×1.40 … ×3.6`."""
    return " … ".join(map(_say(measured), measured.interval)) if measured.interval else MISSING


def p_value(measured: Measured) -> str:
    """Return the p-value as text."""
    return MISSING if measured.p_value is None else f"{measured.p_value:.3f}" if measured.p_value >= 0.001 else "<0.001"


def title(c: Compared) -> str:
    """Return the title of a comparison: `flow`, or `flow → thread_pool`, or `stages=3 → stages=5`."""
    return c.a.label if c.a.label == c.b.label else f"{c.a.label} → {c.b.label}"


def measured_how(c: Compared) -> str:
    """Return the number of rounds or runs, and the design."""
    return f"{c.rounds} {_units(c)}, {c.design}"


def _units(c: Compared) -> str:
    return "runs a side" if c.design == ONE_AFTER_OTHER else "rounds"


def columns(c: Compared) -> list[tuple[str, str, str, str, str, str, str]]:
    """Return one row for each metric, the gate first: metric, A, B, B over A, interval, p, verdict."""
    return [(m.metric.id, quantity(m.a, m.metric.unit), quantity(m.b, m.metric.unit), ratio(m), interval(m),
             p_value(m), _verdict(m) + (" (gate)" if m.gate else "")) for m in c.metrics]


def _verdict(measured: Measured) -> str:
    """Return the verdict in words. "No difference shown" does not prove equality; the interval bounds the difference.
    """
    return "no difference shown" if measured.verdict == SAME else measured.verdict


HEADER = ("metric", "A", "B", "B over A", "interval", "p", "")


def text(comparison: Comparison, colour: bool = False) -> str:
    """Return the comparison for the terminal."""
    def paint(words: str, code: str) -> str:
        return f"\033[{code}m{words}\033[0m" if colour else words

    lines = [f"A  {printable(str(comparison.a))}", f"B  {printable(str(comparison.b))}"]
    for c in comparison.compared:
        lines += ["", f"{printable(title(c))}: {paint(c.says, _COLOURS.get(c.verdict, '1'))}  ({measured_how(c)})"]
        lines += [f"  {printable(c.because)}"] if c.because else []
        lines += [paint(f"  ! {printable(line)}", "33") for line in c.headline]
        if c.metrics:
            lines += [f"  {line}" for line in aligned([HEADER, *columns(c)], range(1, len(HEADER) - 1))]
        lines += [f"  {note}" for note in notes(c)]
        lines += [f"  {line}" for line in difference_lines(c.differences, SHOWN)]
    lines += [f"no counterpart: {printable(name)}" for name in comparison.without_partner]
    if comparison.because:
        lines += ["", f"{paint(NOT_COMPARABLE, '1;33')}: {printable(comparison.because)}"]
    lines += ["", explanation(comparison)]
    return "\n".join(lines)


def explanation(comparison: Comparison) -> str:
    """Return the legend of the numbers."""
    return ("B over A: Hodges-Lehmann estimate, not the ratio of the two medians; "
            f"interval: {100 * comparison.interval_confidence:.4g} % bootstrap interval of B over A; better or worse: "
            f"the whole interval is beyond {comparison.options.threshold:g} %; p: Holm-corrected, except for the gate")


def side_and_run(noted: Noted) -> str:
    """Return a run and its side as text."""
    return f"{noted.side} {printable(noted.run_id)} ({noted.status})"


def notes(c: Compared) -> list[str]:
    """Return the notes that belong to the numbers."""
    said = [CAVEAT] if c.design == ONE_AFTER_OTHER and c.metrics else []
    short = max((m.short_windows for m in c.metrics), default=0)
    said += [f"{SHORT.strip()} {short} {'run was' if short == 1 else 'runs were'} measured for less than "
             f"{SHORT_WINDOW_S} s, so the ratio is uncertain"] if short else []
    said += [f"{m.metric.id}: {m.rounds} of {c.rounds} {_units(c)} have it on both sides" for m in c.metrics
             if 0 < m.rounds < c.rounds]
    said += [f"left out: {side_and_run(n)}: {printable('; '.join(n.why))}" for n in c.left_out[:SHOWN]]
    said += [f"left out: {len(c.left_out) - SHOWN} more"] if len(c.left_out) > SHOWN else []
    return said + [f"flagged: {line}" for line in flag_lines(c.flagged)]


def flag_lines(flagged: Sequence[Noted]) -> list[str]:
    """Return one line for each warning: the number of runs on each side, and the first message."""
    runs: dict[str, dict[str, set[str]]] = {}
    first: dict[str, str] = {}
    for noted in flagged:
        for why in noted.why:
            code, _, message = why.partition(": ")
            runs.setdefault(code, {"A": set(), "B": set()})[noted.side].add(noted.run_id)
            first.setdefault(code, message)
    def sides(of: Mapping[str, set[str]]) -> str:
        return ", ".join(f"{len(of[side])} run{'s' if len(of[side]) != 1 else ''} of {side}" for side in of if of[side])

    return [f"{code}: {sides(of)}; the first: {printable(first[code])}" for code, of in runs.items()]


def difference_lines(found: Sequence[Difference], most: int) -> list[str]:
    """Return one line for each difference, at most `most` for each part."""
    lines, counts = [], Counter(d.part for d in found)
    for part in counts:
        of_part = [d for d in found if d.part == part]
        lines += [f"{part}: {printable(d.where)}: {_cut(d.says[0])} → {_cut(d.says[1])}"
                  for d in of_part[:most]]
        if counts[part] > most:
            lines.append(f"{part}: {counts[part] - most} more differences")
    return lines


def _cut(words: str) -> str:
    words = printable(words)
    return words if len(words) <= LONGEST_VALUE else words[:LONGEST_VALUE] + "…"


def markdown(comparison: Comparison) -> str:
    """Return the comparison as Markdown for a pull request, with folded details."""
    lines = [f"**Performance: {comparison.verdict}**", ""]
    if comparison.compared:
        lines += ["| deployment | verdict | metric | A | B | B over A | interval | measured |",
                  "| --- | --- | --- | ---: | ---: | ---: | :---: | --- |"]
    for c in comparison.compared:
        gate = c.gate
        row = columns(c)[0] if gate else (MISSING,) * 7
        verdict = f"{_MARKS.get(c.verdict, '⚪')} {c.says}" if c.verdict in _MARKS else c.says
        cells = [title(c), f"{verdict}: {c.because}" if c.because else verdict, *row[:5], measured_how(c)]
        lines.append("| " + " | ".join(map(_cell, cells)) + " |")
    lines += [""] if any(c.headline for c in comparison.compared) else []
    lines += [f"- **{_cell(title(c))}**: {_cell(line)}" for c in comparison.compared for line in c.headline]
    lines += ["", *plot] if (plot := _plot(comparison)) else []
    lines += ["", f"<sub>{explanation(comparison)}.</sub>"]
    for c in comparison.compared:
        lines += _markdown_details(c)
    lines += [f"- no counterpart: {_cell(name)}" for name in comparison.without_partner]
    lines += [f"- {NOT_COMPARABLE}: {_cell(comparison.because)}"] if comparison.because else []
    return "\n".join(lines) + "\n"


def _plot(comparison: Comparison) -> list[str]:
    """Return the intervals of the gates as a drawing of characters, which needs no server for a picture."""
    found = [(c, m.ratio, m.interval) for c in comparison.compared
             if (m := c.gate) and m.ratio is not None and m.interval and not any(map(_is_multiple, m.interval))]
    if not found:
        return []
    threshold = comparison.options.threshold / 100
    most = max(threshold, *(abs(end - 1) for *_, ends in found for end in ends)) or 0.01

    def at(ratio: float) -> int:
        return round((ratio - 1 + most) / (2 * most) * (_PLOT_COLUMNS - 1))

    names = [_cut(title(c)) for c, *_ in found]
    wide = max(map(len, names))
    left, right = percent(1 - most), percent(1 + most)
    head = f"{left}{'0'.center(_PLOT_COLUMNS - len(left) - len(right))}{right}"
    lines = [f"{'':{wide}}  {head}"]
    for name, (_, ratio, (low, high)) in zip(names, found):
        row = [" "] * _PLOT_COLUMNS
        for limit in {1 - threshold, 1 + threshold}:
            row[at(limit)] = "┊"
        row[at(1)] = "│"
        row[at(low):at(high) + 1] = "─" * (at(high) - at(low) + 1)
        row[at(ratio)] = "●"
        lines.append(f"{name:{wide}}  {''.join(row)}".rstrip())
    return ["```", *lines, "```"]


def _markdown_details(c: Compared) -> list[str]:
    others = [f"| {' | '.join(map(_cell, row[:6]))} | {_cell(row[6])} |" for row in columns(c)[1:]]
    lines = []
    if others:
        lines += ["", "| other metric | A | B | B over A | interval | p (Holm) | |",
                  "| --- | ---: | ---: | ---: | :---: | ---: | --- |", *others]
    said = [*notes(c), *difference_lines(c.differences, SHOWN_MARKDOWN)]
    if not lines and not said:
        return []
    summary = f"<details><summary>{_cell(title(c))}</summary>"
    return ["", summary, *lines, "", *(f"- {_cell(note)}" for note in said), "", "</details>"]


def _cell(words: str) -> str:
    """Escape text of a project, so that it cannot end a cell or add mark-up."""
    words = printable(words)
    for character, written in (("&", "&amp;"), ("<", "&lt;"), ("|", "\\|"), ("`", "\\`"), ("*", "\\*"), ("_", "\\_")):
        words = words.replace(character, written)
    return words


def view(comparison: Comparison) -> Mapping[str, object]:
    """Return the view of a comparison for an HTML page: the verdict, and one entry for each pair of points."""
    return {"a": str(comparison.a), "b": str(comparison.b), "verdict": comparison.verdict,
            "explanation": explanation(comparison), "because": comparison.because, "compared": [
                {"title": title(c), "verdict": c.verdict, "says": c.says, "because": c.because,
                 "headline": c.headline, "how": measured_how(c),
                 "header": HEADER, "rows": columns(c), "notes": notes(c),
                 "differences": difference_lines(c.differences, SHOWN)} for c in comparison.compared]}
