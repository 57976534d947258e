"""What the works beside saxpy and null_rand are about, below the table: a few columns each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from weir.lab.bench.rows import CEILINGS
from weir.lab.bench.works import watching
from weir.read.reporting.quantities import MISSING, duration, si, significant

Words = tuple[str, ...]


def sections(rows: Sequence[Mapping]) -> list[str]:
    """Lines, for each work that there are rows of an empty one first. `rows` as in JSON."""
    lines: list[str] = []
    for work, (title, words) in _SECTIONS.items():
        mine = [row for row in rows if row["work"] == work and row["contender"] not in CEILINGS]
        if mine:
            lines += ["", title, *_aligned(words(mine))]
    return lines


def ns_per_item_and_stage(row: Mapping) -> float:
    """Nanoseconds that one of the `m` stages takes for an item."""
    return 1e9 / (row["items_per_s"] * row["m"])


def _interval(spread: Sequence[float] | None, scale: float = 1.0) -> str:
    return "not enough data" if spread is None else "{:.3f} .. {:.3f}".format(*(bound / scale for bound in spread))


def _shared_core(rows: Sequence[Mapping]) -> list[Words]:
    return [("m", "contender", "of its own rate", "95 % interval", "CPU alone", "CPU beside"),
            *((str(row["m"]), row["contender"], f"{row['ratio_to_own']:.3f}", _interval(row["own_spread"]),
               _cpu(_alone(rows, row)), _cpu(row)) for row in rows if row["ratio_to_own"] is not None)]


def _alone(rows: Sequence[Mapping], row: Mapping) -> Mapping:
    return next(it for it in rows if (it["m"], it["contender"]) == (row["m"], row["contender"])
                and it["ratio_to_own"] is None)


def _cpu(row: Mapping) -> str:
    return MISSING if row["cpu_s"] is None else f"{row['cpu_s']:.2f}"


def _paced(rows: Sequence[Mapping]) -> list[Words]:
    found: list[Words] = [("contender", "paced", "offered",
                           "came through", "p50", "p95", "p99", "max", "a chunk", "p99 / chunk")]
    for row in rows:
        if (latency := row["latency"]) is not None:
            p99, chunk = latency["p99_ns"], latency["chunk_ns"]
            found.append((row["contender"], row["condition"], si(latency["offered_items_per_s"], "items/s"),
                          si(row["items_per_s"], "items/s"),
                          *(duration(latency[name]) for name in ("p50_ns", "p95_ns", "p99_ns", "max_ns")),
                          duration(chunk), MISSING if None in (p99, chunk) else significant(p99 / chunk)))
    return found


def _busy_work(rows: Sequence[Mapping]) -> list[Words]:
    return [("contender", "of the ideal", "95 % interval"),
            *((row["contender"], f"{row['ratio_to_ideal']:.3f}",
               _interval(row["spread"], row["ratio_to_bare"] / row["ratio_to_ideal"])) for row in rows)]


def _long_graph(rows: Sequence[Mapping]) -> list[Words]:
    return [("m", "contender", "ns per item and stage"),
            *((str(row["m"]), row["contender"], significant(ns_per_item_and_stage(row))) for row in rows)]


def _watching(rows: Sequence[Mapping]) -> list[Words]:
    found: list[Words] = [("contender", "watched by", "takes", "95 % interval")]
    for row in rows:
        if row["ratio_to_own"] is not None:
            spread = row["own_spread"]
            found.append((row["contender"], row["condition"], _loss(row["ratio_to_own"]),
                          "not enough data" if spread is None else " .. ".join(map(_loss, reversed(spread)))))
    if all(row["condition"] != watching.TRACED for row in rows):
        found.append((rows[0]["contender"], watching.TRACED, MISSING, "LTTng cannot be had here"))
    return found


def _loss(ratio: float) -> str:
    """Of the rate without."""
    return f"{100 * (1 - ratio):.1f} %".replace("-", "−")


def _aligned(rows: Sequence[Words]) -> list[str]:
    widths = [max(len(words[column]) for words in rows) for column in range(len(rows[0]))]
    return ["  " + "  ".join(word.ljust(width) for word, width in zip(words, widths)).rstrip() for words in rows]


_SECTIONS: Mapping[str, tuple[str, Callable[[Sequence[Mapping]], list[Words]]]] = {
    "shared_core": ("saxpy with a busy loop on one of its CPUs, of its own rate undisturbed:", _shared_core),
    "paced": ("null_rand paced at parts of what flow does flat out; a chunk: the time of one to come, and its work:",
              _paced),
    "busy_work": ("100 us of work a chunk and stage, more workers than CPUs; the ideal: no CPU ever stands idle:",
                  _busy_work),
    "long_graph": ("a long chain of saxpy stages:", _long_graph),
    "watching": ("what watching takes of the rate with nothing compiled in:", _watching),
}
