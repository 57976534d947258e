"""Report: turn run directories into one self-contained HTML page and its figures."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir import __version__
from weir.diagnostics import WeirError
from weir.engine.measuring.causes import WORDS as CAUSES
from weir.engine.measuring.results import SHORT_WINDOW_S, has_short_window, is_unverified
from weir.engine.measuring.run_directory import StoredRun
from weir.engine.measuring.speed_check import slow_runs
from weir.engine.results_model import fields
from weir.model.document import jsontext
from weir.model.planning.scheduling import in_words
from weir.read.comparing.metrics import LISTED, median
from weir.read.reporting.embedding import CELLS, FLOW_CSS, Figure, data_uri, embedded, flowgraph
from weir.read.reporting.figures import COLOURS, Drawing, drawings
from weir.read.reporting.quantities import MISSING, Entry, binary, duration, grouped, quantity, si
from weir.read.reporting.run_figures import call_sizes, fill_over_time
from weir.read.reporting.sections import Group, Section, by_name, environments, sections, whole_environment
from weir.read.reporting.series import Series
from weir.read.reporting.summary import UNCERTAIN, UNVERIFIED, cause_lines, lacking_p99, load_of, response_words
from weir.sure import sure

TEMPLATES = Path(__file__).with_name("html")
PERCENTILES = tuple((it.title, name) for name, it in fields("times").items())
#: Metrics with a separate column.
SHOWN = ("/throughput_items_per_s", *(f"/latency/{name}" for _, name in PERCENTILES))
#: Tag that makes a page reload itself, until it is removed.
REFRESH = '<meta http-equiv="refresh" content="10">'
#: Tables with more rows are folded on the screen.
LONG_TABLE = 24
MANY_INSTANCES = 8
#: Maximum number of points with separate figures.
MOST_IN_FULL = 6


@dataclass(frozen=True)
class Lead:
    """Lead of a page about one sweep or history. `remarks`: shown first; `heads`, `rows`, `caption`: its table; `data`:
    all runs as CSV; `command`: command line that repeats the runs; `unfinished`: progress, "" if it is complete.
    """

    title: str
    words: str
    remarks: Sequence[str]
    drawings: Sequence[Drawing]
    heads: Sequence[str]
    rows: Sequence[Sequence[Entry]]
    caption: str
    data: str
    command: str
    unfinished: str = ""


def series_of(group: Group) -> Series:
    """Return the series of a group for the figures. Only runs that are ok count."""
    rates = [run.results["throughput_items_per_s"] for run in group.good]
    latencies = [(run.path, run.results["latency"]) for run in group.good if run.results["latency"]]
    return Series.read(group.name, [rate for rate in rates if rate is not None],
                       [(path, it["count"], it["mean_ns"]) for path, it in latencies if it["count"]])


def make_report(runs: Sequence[StoredRun], figures: Path | None = None,
                comparison: Mapping[str, Any] | None = None, lead: Lead | None = None,
                renewed: bool = False) -> str:
    """Return the HTML page. It begins with `comparison` (reporting.comparison.view) or `lead`. With a lead, the rest
    shows only the flowgraph, the machine and the warnings, and no single points. `renewed`: the page reloads itself
    (REFRESH).

    With `figures`, each figure is also written there as SVG, PNG and PDF, with its data as CSV. Raises OSError if that
    fails.
    """
    import jinja2

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True,
                                     undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(si=si, duration=duration, grouped=grouped, binary=binary,
                               sentence=_sentence)
    environment.globals.update(CELLS)
    if figures:
        figures.mkdir(parents=True, exist_ok=True)
    views = []
    parts = sections(runs) if lead is None else by_name(sections(runs))
    leading = [embedded(it, number, figures, "") for number, it in enumerate(lead.drawings if lead else (), 1)]
    number = len(leading)
    for index, section in enumerate(parts):
        brief = lead is not None
        drawn = [] if brief else drawings([series_of(d) for d in section.groups])
        prefix = f"{index + 1}_" if len(parts) > 1 else ""
        graph = graph_svg(section)
        if figures and graph:
            _write_graph(figures, prefix, graph)
        shown = [Figure(flowgraph(graph), "The flowgraph.", number + 1)] if graph else []
        shown += [embedded(d, at, figures, prefix) for at, d in enumerate(drawn, number + len(shown) + 1)]
        number += len(shown)
        view = {**_section_view(section, shown), "brief": brief}
        if brief and len(section.machines) < 2:
            view["environments"] = [whole_environment(section.runs)]
        for at, (group, of) in enumerate(() if brief else zip(section.groups, view["groups"]), 1):
            own = f"{prefix}{at}_" if len(section.groups) > 1 else prefix
            for name, drawing in _own_drawings(group, len(section.groups) <= MOST_IN_FULL).items():
                number += drawing is not None
                of[name] = drawing and embedded(drawing, number, figures, own)
        views.append(view)
    css, script = ((TEMPLATES / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    return environment.get_template("report.html.j2").render(
        comparison=comparison, lead=lead, leading=leading, data=data_uri(lead.data if lead else ""),
        sections=views, version=__version__, css=css + FLOW_CSS, script=script,
        script_hash=script_hash(script), missing=MISSING,
        refresh=REFRESH if renewed else "", series_colours=len(COLOURS),
        title=lead.title if lead else views[0]["title"] if len(views) == 1 else "Weir report", long_table=LONG_TABLE,
        short_window_s=SHORT_WINDOW_S)


def _own_drawings(group: Group, wanted: bool) -> dict[str, Drawing | None]:
    """Return the figures of the run whose tables are shown."""
    shown = group.shown.results
    return {"calls_figure": call_sizes(shown["blocks"]) if wanted else None,
            "fill_figure": fill_over_time(shown["edges"]) if wanted else None}


def graph_svg(section: Section) -> str:
    """Return the picture of the flowgraph, or "": the project may be unreadable, use blocks that are missing here, or
    lack positions while no layout tool is installed.
    """
    from weir.model.check import check
    from weir.read.reporting.render import svg
    from weir.read.reporting.scene import readable_scene

    checked = check(jsontext.write(section.project), directory=Path("/"), allow_paths=[Path("/")])
    if checked.project is None or checked.graph is None:
        return ""
    try:
        return svg(readable_scene(checked.project, checked.catalog, checked.graph), title=False)
    except WeirError:
        return ""


def _write_graph(folder: Path, prefix: str, graph: str) -> None:
    """Write the picture as SVG, and as PNG and PDF if librsvg's converter is installed."""
    from weir.read.reporting.render import convert

    (folder / f"{prefix}graph.svg").write_text(graph, encoding="utf-8")
    if shutil.which("rsvg-convert"):
        for form in ("png", "pdf"):
            (folder / f"{prefix}graph.{form}").write_bytes(convert(graph, form))


def _sentence(text: str) -> str:
    """Capitalize a sentence, but keep percentiles such as p50."""
    return text if text[1:2].isdigit() else text[:1].upper() + text[1:]


def script_hash(script: str) -> str:
    """Return the hash that allows only this script on the page."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _section_view(section: Section, figures: Sequence[Figure]) -> dict[str, Any]:
    first = section.runs[0]
    return {
        "title": section.project.get("title") or section.project.get("name"),
        "description": section.project.get("description", ""),
        "parameters": [(name, _value(name, p, section.runs), p.get("description", "") if isinstance(p, dict) else "")
                       for name, p in section.project.get("parameters", {}).items()],
        "figures": figures,
        "noun": section.noun, "machines": section.machines, "groups": [_group_view(d) for d in section.groups],
        "excluded": [{"id": r.results["run_id"], "status": r.status, "reasons": r.results["reasons"]}
                     for r in section.runs if r.status != "ok"],
        "remarks": _remarks(section), "remark_kinds": _remark_kinds(section),
        "environments": environments(section.runs),
        "commands": list(dict.fromkeys(r.run["command"] for r in section.runs if r.run["command"])),
        "started": min(r.run["started"] for r in section.runs),
        "finished": max(r.run["finished"] for r in section.runs),
        "items": _same(r.results["items"] for r in section.runs),
        "seed": _same(r.results["seed"] for r in section.runs), "runs": len(section.runs),
        "project_hash": first.results["project_hash"],
    }


def _value(name: str, parameter: object, runs: Sequence[StoredRun]) -> str:
    """Return a parameter's value in the project, or the values of the runs if they differ."""
    from weir.read.reporting.scene import value_text

    had = dict.fromkeys(run.results["coordinates"]["parameters"].get(name) for run in runs)
    if len(had) > 1:
        return ", ".join(map(value_text, had))
    return value_text(parameter.get("value") if isinstance(parameter, dict) else parameter)


def _same(values: Iterable[object]) -> object:
    """Return the common value, None if the values differ."""
    different = set(values)
    return different.pop() if len(different) == 1 else None


def _group_view(group: Group) -> dict[str, Any]:
    good = [r.results for r in group.good]
    latencies = [r["latency"] for r in good if r["latency"] and r["latency"]["count"]]
    responses = [r["response"] for r in good if r["response"]]
    shown = group.shown.results
    throughputs = [r["throughput_items_per_s"] for r in good if r["throughput_items_per_s"] is not None]
    return {
        "name": group.name, "scheduler": shown["scheduler"], "runs": len(group.all), "good": len(good),
        "throughput": median(it["throughput_items_per_s"] for it in good),
        "uncertain": UNCERTAIN if any(map(has_short_window, good)) else "",
        "unverified": f", {UNVERIFIED}" if any(map(is_unverified, good)) else "", "load": load_of(good),
        "offered": shown["load"]["offered_items_per_s"],
        "spread": (min(throughputs), max(throughputs)) if len(throughputs) > 1 else None,
        "percentiles": [(label, median(it[key] for it in latencies)) for label, key in PERCENTILES],
        "lacking": lacking_p99(latencies[0]) if latencies and all(it["p99_ns"] is None for it in latencies) else "",
        "count": sum(latency["count"] for latency in latencies), "lost": sum(latency["lost"] for latency in latencies),
        "others": [(metric.column, _entry(median(map(metric.value, good)), metric.unit)) for metric in LISTED
                   if metric.over or metric.source.at not in SHOWN],
        "response": response_words(responses) if responses else "",
        "causes": shown["causes"], "cause_lines": cause_lines(shown) if shown["causes"] else [],
        "cause_words": CAUSES, "trace": shown["trace"], "metrics": shown["metrics"], "blocks": shown["blocks"],
        "threads": shown["threads"],
        "pairs": shown["latency_pairs"] or [], "hops": shown.get("hops") or [],
        "metrics_share": (shown.get("metrics_cost") or {}).get("share"), "edges": shown["edges"],
        "sinks": shown["sinks"], "verification": shown["verification"], "run_id": shown["run_id"],
        "counted": _counted(shown), "energy": _energy(shown["energy"]),
        "workers": _workers(shown), "buffers": _buffers(shown), "memory": shown["granted"]["memory"],
    }


def _counted(results: Mapping) -> dict[str, Any] | None:
    """Return the available CPU counters of each thread and in total, None without any."""
    total = results["cpu_counters"] or {}
    events = [name for name, it in fields("cpu_counters").items()
              if it.kind.base == "count" and total.get(name) is not None]
    if not events:
        return None
    threads = [(it["name"], it["cpu_counters"]) for it in results["threads"] if it["cpu_counters"]]
    rows = [*threads, ("all", total)] if len(threads) > 1 else threads
    return {"events": [name.replace("_", " ") for name in events], "share": total["counted"],
            "user_only": total["user_only"], "rows": [(name, [of[it] for it in events]) for name, of in rows]}


def _energy(energy: Mapping | None) -> dict[str, Any] | None:
    """Return the energy of the packages and of each zone, None without any."""
    zones = [(it["name"], it["joules"]) for it in (energy or {}).get("zones", ()) if it["joules"] is not None]
    if not zones:
        return None
    interval_s = sure(energy)["interval_s"]
    return {"joules": si(sure(energy)["joules"], "J"), "per_joule": si(sure(energy)["items_per_joule"], "items/J"),
            "interval": duration(interval_s * 1e9),
            "zones": [(name, _entry(joules, "J"), _entry(joules / interval_s if interval_s else None, "W"))
                      for name, joules in zones]}


def _entry(value: float | None, unit: str) -> Entry:
    return Entry(quantity(value, unit), value)


def _workers(results: Mapping) -> list[dict[str, str]]:
    """Return placement and pinning of each worker: requested, planned and granted."""
    requested = (results["requested"] or {}).get("affinity") or {}
    planned, granted = (results["planned"] or {}).get("affinity", {}), results["granted"]["affinity"]
    instances: dict[str | None, list[str]] = {}
    for block in results["blocks"]:
        instances.setdefault(block["worker"], []).append(block["id"])
    moving = ["any block"] if None in instances else []
    policy = results["granted"]["priority"]
    return [{"name": name, "requested": _cpus(requested.get(name)), "planned": _cpus(planned.get(name)),
             "granted": _cpus(granted.get(name)),
             "policy": in_words(policy[name]) if name in policy else MISSING,
             "instances": _listed(instances.get(name, moving))} for name in dict.fromkeys([*planned, *granted])]


def _listed(instances: Sequence[str]) -> str:
    """Return the instance names, or for many instances the blocks with their number of copies."""
    if len(instances) <= MANY_INSTANCES:
        return ", ".join(instances)
    copies = Counter(re.split(r"[\[@]", name)[0] for name in instances)
    return ", ".join(f"{block} × {count}" if count > 1 else block for block, count in copies.items())


def _cpus(cpus: Sequence[int] | None) -> str:
    return MISSING if cpus is None else ", ".join(map(str, cpus)) or "any"


def _buffers(results: Mapping) -> list[dict[str, Any]]:
    requested = (results["requested"] or {}).get("buffers") or {}
    planned, granted = (results["planned"] or {}).get("buffers", {}), results["granted"]["buffers"]
    return [{"name": name, "requested": requested.get(name), "planned": planned.get(name), "granted": granted.get(name)}
            for name in dict.fromkeys([*planned, *granted])]


def _remarks(section: Section) -> list[tuple[str, str]]:
    """Return the distinct (point, message) of warnings and notes of good runs."""
    slow = slow_runs(r.results for d in section.groups for r in d.good)
    found = [(d.name, reason["message"]) for d in section.groups for r in d.good
             for reason in r.results["reasons"]]
    found += [(d.name, slow[r.results["run_id"]]) for d in section.groups for r in d.good
              if r.results["run_id"] in slow]
    return list(dict.fromkeys(found))


def _remark_kinds(section: Section) -> list[tuple[int, str]]:
    """Return (runs, first message) of each kind of warning of good runs, the most frequent first."""
    found: dict[str, list[str]] = {}
    for group in section.groups:
        for run in group.good:
            for reason in run.results["reasons"]:
                if reason["code"][0] == "W":
                    found.setdefault(reason["code"], []).append(reason["message"])
    return sorted(((len(said), said[0]) for said in found.values()), key=lambda it: -it[0])
