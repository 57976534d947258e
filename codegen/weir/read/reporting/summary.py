"""Summary for the terminal: one paragraph for each run, and a table for several points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from weir.diagnostics import printable
from weir.engine.measuring.causes import WORDS as CAUSES
from weir.engine.measuring.latency import PERCENTILES, least_samples, read_hgrm
from weir.engine.measuring.points import by_point, in_order, labels, noun
from weir.engine.measuring.results import SHORT_WINDOW_S, has_short_window, is_unverified
from weir.engine.measuring.speed_check import slow_runs
from weir.read.comparing.metrics import LISTED, median
from weir.read.comparing.statistics import share_of_failures
from weir.read.reporting.quantities import MISSING, aligned, duration, figure, grouped, load_words, quantity, si
from weir.tracers import SILENT

BARS = "▁▂▃▄▅▆▇█"
BINS = 40
#: Bars with fewer than one sample in 2,000 stay blank.
BLANK_SHARE = 0.0005
STATUS_COLOURS = {"ok": "1;32", "partial": "1;33"}
ERROR_COLOUR, WARNING_COLOUR, DIM, BOLD = "1;31", "33", "2", "1"

#: Rate of involuntary switches from which the summary mentions a thread.
INTERRUPTIONS_PER_S = 200.0
#: Share of steal time from which the summary mentions it.
STEAL_LIMIT = 0.01
#: Mark after a number from a window that is too short.
UNCERTAIN = "*"
#: Words beside a number of a program whose output was not verified.
UNVERIFIED = "not verified"
#: Gate of the metric whose ratios the table shows.
FLAT_OUT = "flat_out"
#: Unit of shares that may be tiny.
RATIO = "ratio"
#: Maximum number of hops to print; hops.csv and the report have all.
MOST_HOPS = 12


class Summary:
    """Writer of the summaries. `colour`: with ANSI colours."""

    def __init__(self, colour: bool = False):
        self._colour = colour

    def _paint(self, text: str, code: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self._colour else text

    def run(self, results: Mapping, path: Path) -> str:
        """Return the paragraph of one run, which ends with its directory."""
        status = results["status"]
        title = f"{results['project']} · {results['deployment']}"
        repetition = f" · repetition {results['repetition'] + 1}" if results["repetition"] else ""
        lines = [f"{self._paint(printable(title), BOLD)}{repetition}  "
                 + self._paint(status, STATUS_COLOURS.get(status, ERROR_COLOUR))
                 + f", {UNVERIFIED}" * is_unverified(results)]
        lines += [self._row(label, text) for label, text in self._facts(results, path)]
        for reason in results["reasons"]:
            kind = {"N": "note", "W": "warning"}.get(reason["code"][0], status)
            colour = {"note": DIM, "warning": WARNING_COLOUR}.get(kind, STATUS_COLOURS.get(status, ERROR_COLOUR))
            lines.append(self._row(kind, self._paint(printable(reason["message"]), colour)))
        lines.append(self._row("directory", self._paint(str(path), DIM)))
        return "\n".join(lines)

    def _row(self, label: str, text: str) -> str:
        return f"  {self._paint(f'{label:<11}', DIM)}{text}"

    def _facts(self, results: Mapping, path: Path) -> list[tuple[str, str]]:
        facts = []
        if results["throughput_items_per_s"] is not None:
            over = f"over {duration(results['window_s'] * 1e9)}" if results["window_s"] else ""
            read = {edge["to"].rpartition(".")[0] for edge in results["edges"]}
            sources = sum(block["id"] not in read and block["items_out"] != 0 for block in results["blocks"])
            over += f", total of {sources} sources" if sources > 1 else ""
            facts.append(("throughput",
                          f"{si(results['throughput_items_per_s'], 'items/s')}  {self._paint(over, DIM)}".rstrip()))
        elif results["elapsed_s"] is not None:
            facts.append(("elapsed", duration(results["elapsed_s"] * 1e9)))
        if results["load"]["offered_items_per_s"] is not None:
            facts.append(("load", load_words(results["load"])))
        latency = results["latency"]
        if latency and latency["count"]:
            shown = (("p5", "p5_ns"), ("p50", "p50_ns"), ("p95", "p95_ns"), ("p99", "p99_ns"), ("max", "max_ns"))
            facts.append(("latency",
                          "  ".join(f"{self._paint(name, DIM)} {duration(latency[key])}" for name, key in shown)))
            if latency["p99_ns"] is None:
                facts.append(("", self._paint(lacking_p99(latency), DIM)))
            shape = sparkline(path / "latency.hgrm")
            if shape:
                facts.append(("", shape))
        if results.get("response"):
            facts.append(("response", response_words([results["response"]])))
        if results.get("causes"):
            facts += [("" if i else "late", printable(line)) for i, line in enumerate(cause_lines(results))]
        facts += self._hops(results.get("hops") or [])
        if results["sinks"]:
            facts.append(("sinks", _sinks(results["sinks"])))
        verification = results["verification"]
        if verification and verification["ok"]:
            facts.append(("verified", printable(verification["message"])))
        trace = results["trace"]
        if trace["backend"] not in SILENT:
            counted = f", {grouped(latency['count'])} boundaries, {latency['lost']} lost" if latency else ""
            dropped = f", {grouped(trace['discarded'])} discarded" if trace["discarded"] is not None else ""
            facts.append(("trace", f"{trace['backend']}{counted}{dropped}"))
        facts += _noteworthy(results)
        return facts

    def _hops(self, hops: Sequence[Mapping]) -> list[tuple[str, str]]:
        """Return one line for each hop: median and 95th percentile of waiting and of work."""
        lines: list = []
        for hop in hops[:MOST_HOPS]:
            parts = [f"{self._paint(name, DIM)} {duration(hop[name]['p50_ns'])} {self._paint('p95', DIM)} "
                     f"{duration(hop[name]['p95_ns'])}" for name in ("waiting", "work")]
            lines.append(("" if lines else "hops", f"{printable(hop['from'])} → {printable(hop['to'])}  "
                                                   + "  ".join(parts)))
        if len(hops) > MOST_HOPS:
            lines.append(("", f"and {len(hops) - MOST_HOPS} more in hops.csv"))
        return lines

    def comparison(self, runs: Sequence[Mapping], order: Sequence[str] = ()) -> str:
        """Return a table that compares points with the first one over the runs that are ok; "" for a single point.
        `order`: of deployments.
        """
        of_point = by_point(runs, lambda run: run)
        points = in_order(of_point, order)
        if len(points) < 2:
            return ""
        names = labels(points)
        rows = [(noun(points), "runs", *(word for metric in LISTED for word in (
            metric.column, *(("ratio", "load") if metric.gate == FLAT_OUT else ()))))]
        first, short = None, {point for point in points for r in of_point[point]
                              if r["status"] == "ok" and has_short_window(r)}
        for point in points:
            good = [r for r in of_point[point] if r["status"] == "ok"]
            total, name = len(of_point[point]), names[point]
            cells = [printable(name), str(total) if len(good) == total else f"{len(good)} of {total}"]
            for metric in LISTED:
                value = median(map(metric.value, good))
                if metric.gate != FLAT_OUT:
                    cells.append(quantity(value, metric.unit))
                    continue
                first = value if point == points[0] else first
                ratio = f"{value / first:.2f}" if value is not None and first else MISSING
                if ratio != MISSING and short & {point, points[0]}:
                    ratio += UNCERTAIN
                cells += [quantity(value, metric.unit) + (UNCERTAIN if point in short else ""), ratio, load_of(good)]
            rows.append(tuple(cells))
        lines = aligned(rows, range(1, len(rows[0])))
        notes = ["medians over the runs that are ok"] if any(r["repetition"] for r in runs) else []
        notes += [f"{UNCERTAIN} uncertain, because the window is under {SHORT_WINDOW_S} s"] if short else []
        doubtful = [names[point] for point in points if any(map(is_unverified, of_point[point]))]
        notes += [f"{UNVERIFIED}: {printable(', '.join(doubtful))}"] if doubtful else []
        slow = slow_runs(r for r in runs if r["status"] == "ok")
        named = {r["run_id"]: f"{names[point]}, repetition {r['repetition'] + 1}" for point in points
                 for r in of_point[point]}
        warnings = [self._paint(f"{printable(named[run_id])}: {message}", WARNING_COLOUR)
                    for run_id, message in slow.items()]
        dim = [self._paint(note, DIM) for note in notes]
        return "\n".join([self._paint(lines[0], DIM), *lines[1:], *dim, *warnings])


def lacking_p99(latency: Mapping) -> str:
    """Return the reason why a run has no p99."""
    return (f"p99 needs at least {grouped(least_samples(PERCENTILES['p99_ns']))} latencies, "
            f"but this run has {grouped(latency['count'])}")


def response_words(responses: Sequence[Mapping]) -> str:
    """Return the pooled `response` of runs in words: number of failures and their share, with an interval if there are
    enough runs.
    """
    failed, due = ([sum(it[name] for name in names) for it in responses]
                   for names in (("late", "lost"), ("answered", "lost")))
    deadline, lost = duration(responses[0]["deadline_ns"]), sum(it["lost"] for it in responses)
    if not sum(due):
        return f"nothing was due within {deadline}"
    share = share_of_failures(failed, due)
    said = f"below {figure(share.below, RATIO)}" if share.below else figure(share.value, RATIO)
    if share.interval:
        said += " (95 %: {} .. {})".format(*(figure(end, RATIO) for end in share.interval))
    return (f"{grouped(sum(failed))} of {grouped(sum(due))} later than {deadline}"
            + (f", {grouped(lost)} of them lost" if lost else "") + f": failure ratio {said}")


def cause_lines(results: Mapping) -> list[str]:
    """Return `causes` of results.json in words: the number of each kind, and the main culprits."""
    causes = results["causes"]
    if causes["status"] == "unavailable":
        return [f"the causes are unknown: {causes['reason']}"]
    if not causes["late_items"]:
        return ["no item was late"]
    kinds = sorted(causes["by_kind"].items(), key=lambda it: -it[1])
    latest = [] if results["response"] else [f"causes of the {causes['late_items']} slowest items, without a deadline:"]
    lines = [f"{CAUSES[kind]}: {grouped(count)}{_culprits(causes['items'], kind)}" for kind, count in kinds if count]
    return latest + lines + ([causes["reason"]] if causes["reason"] else [])


def _culprits(items: Sequence[Mapping], kind: str) -> str:
    """Return the two main culprits of a kind."""
    named = Counter(it["cause"]["by"] or it["cause"]["block"] for it in items if it["cause"]["kind"] == kind)
    found = [name for name, _ in named.most_common(2) if name]
    return f", {'by ' if kind != 'work' else ''}{' and '.join(found)}" if found else ""


def load_of(runs: Sequence[Mapping]) -> str:
    """Return whether the runs of a point kept up with their paced sources, as a word for a table. A throttle of GNU
    Radio holds the rate, but says nothing about when an item is due.
    """
    answers = [r["load"]["kept_up"] for r in runs if r["load"]["kept_up"] is not None]
    if not answers:
        paced = any(r["load"]["offered_items_per_s"] is not None for r in runs)
        throttled = any(reason["code"] == "N_THROTTLED" for r in runs for reason in r["reasons"])
        return MISSING if paced or not runs else "throttled" if throttled else "flat out"
    if all(answers):
        return "kept up"
    return f"behind in {answers.count(False)} of {len(answers)}" if len(answers) > 1 else "behind"


def _sinks(sinks: Sequence[Mapping]) -> str:
    wrong = [s for s in sinks if s["expected"] is not None and s["items"] != s["expected"]]
    if wrong:
        more = f", {len(wrong) - 4} more" if len(wrong) > 4 else ""
        return ", ".join(f"{printable(s['id'])}: {grouped(s['items'])} of {grouped(s['expected'])} items"
                         for s in wrong[:4]) + more
    items = sum(s["items"] for s in sinks)
    all_known = all(s["expected"] is not None for s in sinks)
    complete = " as expected" if all_known else ""
    if len(sinks) == 1:
        digest = f", digest {sinks[0]['digest']}" if sinks[0]["digest"] else ""
        return f"{printable(sinks[0]['id'])}: {grouped(items)} items{complete}{digest}"
    return f"{len(sinks)} sinks, {grouped(items)} items{complete}"


def _noteworthy(results: Mapping) -> list[tuple[str, str]]:
    """Return remarkable facts: buffers granted differently than planned, preempted threads, and steal time."""
    facts, planned, granted = [], results["planned"] or {"buffers": {}}, results["granted"]
    differing = [f"{name}: {granted['buffers'][name]} items, planned {wanted}"
                 for name, wanted in planned["buffers"].items() if granted["buffers"].get(name, wanted) != wanted]
    if differing:
        facts.append(("buffers", printable("; ".join(differing[:3]) + (" …" if len(differing) > 3 else ""))))
    elapsed = results["elapsed_s"] or 0
    pushed = [t["name"] for t in results["threads"]
              if elapsed and (t["involuntary_switches"] or 0) / max(elapsed, 0.1) > INTERRUPTIONS_PER_S]
    if pushed:
        facts.append(("threads", printable(f"often preempted: {', '.join(pushed[:6])}")))
    cost = results.get("metrics_cost")
    if cost and cost["share"] is not None:
        facts.append(("profile", f"profiling took {cost['share']:.0%} of the workers' time and slowed the run down"))
    steal = results["environment"]["steal"]
    if steal is not None and steal > STEAL_LIMIT:
        facts.append(("machine", f"the hypervisor took {steal:.0%} of the CPU time (steal)"))
    return facts


def sparkline(path: Path) -> str:
    """Return a sparkline of a run's latency from p0 to p99.9 on a logarithmic axis, with its ends; "" without data."""
    try:
        levels, values = read_hgrm(path)
    except (OSError, ValueError):
        return ""
    shares, edges = histogram(levels, values, BINS)
    if len(shares) == 0:
        return ""
    heights = np.where(shares < BLANK_SHARE, 0, np.ceil(shares / shares.max() * len(BARS))).astype(int)
    bars = "".join(BARS[h - 1] if h else " " for h in heights)
    return f"{duration(edges[0])} {bars} {duration(edges[-1])}"


def histogram(levels: np.ndarray, values: np.ndarray, bins: int, upper: float = 0.999) -> tuple[np.ndarray, np.ndarray]:
    """Return (share of samples in each bin, bin edges in ns) of a percentile curve; empty if it has no width."""
    inside = values[levels <= upper]
    if len(inside) == 0 or inside[0] <= 0 or inside[-1] <= inside[0]:
        return np.empty(0), np.empty(0)
    edges = np.geomspace(inside[0], inside[-1], bins + 1)
    distinct, last = np.unique(values[::-1], return_index=True)  # of equal values the highest level
    below = np.interp(edges, distinct, levels[::-1][last])
    below[0] = 0.0
    return np.diff(below), edges
