"""The rows of a benchmark as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weir.lab.bench.rows import CEILINGS, in_cells
from weir.lab.bench.sections import sections
from weir.read.comparing.statistics import MIN_BLOCKS
from weir.read.reporting.quantities import MISSING, binary, si, significant

_TITLES = ("work", "n", "m", "contender", "buffers", "items/s", "to bare", "to ideal", "95 % interval", "items/call",
           "largest", "all", "in place", "CPU", "slowed")
_LEFT = {"work", "contender", "buffers", "95 % interval", "in place", "slowed"}


def table(rows: Sequence[Mapping]) -> str:
    """Aligned text: one line a row, cells apart; below, what single works are about, and what is to be known of all."""
    cells = [[_words(row) for row in cell] for cell in in_cells(rows).values()]
    lines = [_TITLES, *(words for cell in cells for words in cell)]
    widths = [max(len(words[column]) for words in lines) for column in range(len(_TITLES))]

    def aligned(words: Sequence[str]) -> str:
        return "  ".join(word.ljust(width) if title in _LEFT else word.rjust(width)
                         for word, width, title in zip(words, widths, _TITLES)).rstrip()

    text = [aligned(_TITLES)]
    for index, cell in enumerate(cells):
        text += ["", *map(aligned, cell)] if index else map(aligned, cell)
    return "\n".join([*text, *sections(rows), *_few_rounds(rows), *_witness_lines(rows)])


def _words(row: Mapping) -> tuple[str, ...]:
    how = ", ".join(filter(None, (row["variant"], row["condition"])))
    name = row["contender"] + (f" ({how})" if how else "")
    spread = "not enough data" if row["spread"] is None else "{:.3f} .. {:.3f}".format(*row["spread"])
    per_call = MISSING if row["items_per_call"] is None else significant(row["items_per_call"])
    to_ideal = MISSING if row["contender"] in CEILINGS else f"{row['ratio_to_ideal']:.3f}"
    return (row["work"], str(row["n"]), str(row["m"]), name, row["buffers"] or MISSING,
            si(row["items_per_s"], "items/s"), f"{row['ratio_to_bare']:.3f}", to_ideal, spread, per_call,
            _bytes(row["buffer_bytes"]), _bytes(row["total_buffer_bytes"]),
            "yes" if row["in_place"] else "no", MISSING if row["cpu_s"] is None else f"{row['cpu_s']:.2f}",
            _slowed(row))


def _bytes(count: int | None) -> str:
    return binary(count) if count else MISSING


def _few_rounds(rows: Sequence[Mapping]) -> list[str]:
    rounds = min((row["rounds"] for row in rows), default=MIN_BLOCKS)
    if rounds >= MIN_BLOCKS:
        return []
    return ["", f"not enough data for intervals: {rounds} of the {MIN_BLOCKS} rounds that they take"]


def _witness_lines(rows: Sequence[Mapping]) -> list[str]:
    speeds = [speed for row in rows for speed in row["witness"] or ()]
    slowed = sum(bool(row["slowed"]) for row in rows)
    if not speeds:
        return []
    what = (f"; the machine slowed down in rounds of {slowed} of {len(rows)} rows. Those rounds count: ratios are "
            "taken within a round") if slowed else ""
    return ["", f"witness: around the measurements the bare kernel ran at {si(min(speeds), 'items/s')} to "
                f"{si(max(speeds), 'items/s')}{what}"]


def _slowed(row: Mapping) -> str:
    if row["slowed"] is None:
        return MISSING
    return f"{row['slowed']} of {row['rounds']} rounds" if row["slowed"] else ""
