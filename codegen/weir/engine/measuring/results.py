"""Complete results.json: the program's part, the runner's part, and the status that follows from both."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from weir.codes import REASONS, STATUSES
from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.coordinates import Requested, coordinates
from weir.engine.measuring.latency import HopSamples, PairSamples, latency_fields
from weir.engine.results_model import Kind, blank
from weir.model.document.deployment import Scheduling
from weir.model.document.shape import SCHEMA_FOLDER

if TYPE_CHECKING:
    from weir.diagnostics import Diagnostic
    from weir.model.planning.plan import Plan

#: Warnings of a plan that its runs repeat.
SPINNING = ("W_OVERSUBSCRIBED", "W_SPIN_SHARED")

#: A window of fewer seconds makes throughput and ratios uncertain (N_SHORT_WINDOW).
SHORT_WINDOW_S = 0.2

#: A run is disturbed if other programs used more than this share of its CPUs' time (docs/results.md).
DISTURBED_ABOVE = 0.10

#: Reasons of runs whose output Weir did not verify (docs/results.md).
_UNVERIFIED = ("N_NOT_VERIFIED", "N_ADOPTED")

#: A thread with more wake-ups per second, and fewer items per wake-up, spends most of its time on wake-ups
#: (W_SMALL_BURSTS).
MANY_WAKES_PER_S, FEW_ITEMS = 10_000, 100


def has_short_window(results: Mapping) -> bool:
    """Return whether the measured window is too short to be reliable."""
    return results["window_s"] is not None and results["window_s"] < SHORT_WINDOW_S


def is_unverified(results: Mapping) -> bool:
    """Return whether Weir did not verify the output of the run's program. Readers must see it beside the numbers."""
    return any(reason["code"] in _UNVERIFIED for reason in results["reasons"])


def add_reason(results: dict, code: str, message: str) -> None:
    """Add one of REASONS, once, and lower the status accordingly. Raises KeyError for any other code."""
    imposed = REASONS[code].status
    if any(reason["code"] == code for reason in results["reasons"]):
        return
    results["reasons"].append({"code": code, "message": message})
    results["status"] = max(results["status"], imposed, key=STATUSES.index)


def add_not_granted(results: dict, what: str, required: bool) -> None:
    """Add a requested setting that was not granted. A run may have several such reasons."""
    code = "E_NOT_GRANTED" if required else "W_NOT_GRANTED"
    results["reasons"].append({"code": code, "message": what})
    results["status"] = max(results["status"], REASONS[code].status, key=STATUSES.index)


def speaking_against(plan: Plan, warnings: Iterable[Diagnostic]) -> dict[str, str]:
    """Return code -> message of the plan's first warning about spinning workers on shared CPUs.

    Such workers may slow a run by an order of magnitude, so its numbers need the warning.
    """
    found = [it for it in warnings if it.code in SPINNING] if plan.wait == "spin" else []
    return {it.code: f"{it.message}: {it.hint}" for it in found[:1]}


def add_small_bursts(results: dict, plan: Mapping) -> None:
    """Add W_SMALL_BURSTS if a thread woke up very often for few items each time.

    Uses the largest item count of any block: no thread had more items per wake-up. Ignores very short runs, which do
    not show a rate per second.
    """
    elapsed = results["elapsed_s"] or 0
    moved = [it[key] or 0 for it in results["blocks"] for key in ("items_in", "items_out")]
    moved += [it["items"] for it in results["sinks"]]
    items = max(*moved, (results["throughput_items_per_s"] or 0) * elapsed, 0)
    wakes, thread = max(((it["voluntary_switches"] or 0, it["name"]) for it in results["threads"]), default=(0, ""))
    if elapsed < SHORT_WINDOW_S or wakes <= MANY_WAKES_PER_S * elapsed or items >= FEW_ITEMS * wakes:
        return
    bursts = ", ".join(f"`{it['instance']}`" for it in plan["blocks"] if "burst_items" in it["parameters"])
    add_reason(results, "W_SMALL_BURSTS",
               f"worker {thread} slept and was woken {wakes / elapsed:,.0f} times a second, for about "
               f"{items / wakes:.1f} items each time: it probably spent most of its CPU time waking up; "
               + (f"a larger `burst_items` of {bursts} lets more items pass together" if bursts else
                  "with larger chunks or fewer workers, it moves more items at a time"))


def add_latency(results: dict, pairs: Sequence[PairSamples], hops: Sequence[HopSamples] = (),
                deadline_ns: int | None = None) -> None:
    """Add the latencies, and reasons to doubt them."""
    results.update(latency_fields(pairs, hops, deadline_ns))
    lost = sum(pair.lost for pair in pairs)
    lost_in_hops = sum(hop.lost for hop in hops)
    if not lost and lost_in_hops and results["status"] in ("ok", "invalid"):
        worst_hop = max(hops, key=lambda h: h.lost)
        add_reason(results, "E_LOST", f"{lost_in_hops} boundaries lack an event within a hop, {worst_hop.lost} of them "
                                      f"from {worst_hop.src} to {worst_hop.dst}")
    if lost and results["status"] in ("ok", "invalid"):
        worst = max(pairs, key=lambda p: p.lost)
        add_reason(results, "E_LOST",
                   f"{lost} boundaries lack their tx or their rx, {worst.lost} of them from {worst.source} "
                   f"to {worst.sink}")
    repeated = sum(p.repeated for p in pairs)
    if repeated:
        add_reason(results, "E_REPEATED", f"{repeated} boundaries were logged more than once")
    backwards = np.concatenate([np.minimum(pair.every_latency_ns, 0) for pair in pairs] or [np.empty(0, np.int64)])
    if backwards.any():
        add_reason(results, "E_NEGATIVE_LATENCY", f"{np.count_nonzero(backwards)} boundaries arrive before they are "
                                                  f"sent; the worst by {-int(backwards.min())} ns")
    early = sum(hop.early for hop in hops)
    if early:
        add_reason(results, "E_NEGATIVE_LATENCY", f"{early} boundaries arrive at a block before they are sent to it")


def expected_boundaries(plan: Mapping, results: Mapping) -> dict[tuple[str, str], int]:
    """Return (source, sink) -> boundaries of a complete run; the consumed ones if it is unknown or not complete."""
    sinks = {sink["id"]: sink for sink in results["sinks"]}
    boundaries = {}
    for pair in plan["pairs"]:
        if "boundaries" in pair:  # the program counted them
            boundaries[pair["source"], pair["sink"]] = pair["boundaries"]
            continue
        sink = sinks.get(pair["sink"], {"items": 0, "expected": 0})
        complete = results["status"] in ("ok", "invalid") and sink["expected"] is not None
        items = sink["expected"] if complete else sink["items"]
        boundaries[pair["source"], pair["sink"]] = items // pair["sink_granularity"]
    return boundaries


def hop_boundaries(plan: Mapping, boundaries: Mapping[tuple[str, str], int]) -> list[int]:
    """Return the expected boundaries of each hop of the plan: the most that a sink behind the hop gets."""
    of_sink = {sink: count for (_, sink), count in boundaries.items()}
    return [max((of_sink.get(sink, 0) for sink in hop["sinks"]), default=0) for hop in plan.get("hops", ())]


def add_request(results: dict, plan: Mapping, document: Mapping, parameters: Mapping[str, Any]) -> None:
    """Add the requested settings, which the program does not know. `parameters` are those of the project.

    The program itself reports the offered load, because only it knows which sources have a schedule.
    """
    results["parameters"] = {**parameters, **results["parameters"]}
    results["requested"] = requested(plan, document)


def requested(plan: Mapping, document: Mapping) -> dict[str, Any]:
    """Return `requested` of results.json: the project's values, None if the planner may choose."""
    deployment: Mapping[str, Any] = next((d for d in document.get("deployments", ())
                                          if d.get("name") == plan["deployment"]), {})
    wanted = plan["requested"]
    return {"affinity": wanted["affinity"], "buffers": wanted["buffers"], "chunk_items": wanted["chunk_items"],
            "workers": wanted["workers"],
            "priority": {it.name: deployment.get(it.name) for it in fields(Scheduling)},
            "threads": deployment.get("threads"),
            "memory": deployment.get("memory"), "require": list(plan["require"])}


def add_coordinates(results: dict, plan: Mapping, requested: Requested, version: str | None,
                    kernels: str | None = None) -> None:
    """Add the coordinates, and the runtime unless the protocol has reported it.

    `version` is the runtime's, None if unknown. `kernels` is the hash of the kernel library, or `inlined`.
    """
    results["coordinates"] = coordinates(results, requested)
    if results["runtime"] is None:
        results["runtime"] = {**blank(Kind("", "runtime")), "target": plan["target"], "version": version,
                              "kernel_object_hash": kernels,
                              "blocks": plan.get("implementation", {}).get("blocks", "shared")}


def planned_buffers(plan: Mapping) -> dict[str, int]:
    """Return the planned items of each stream's buffer."""
    return {stream["name"]: stream["planned_items"] for stream in plan["streams"]}


def without_results(plan: Mapping, run_id: str, repetition: int, backend: str, environment: Mapping) -> dict:
    """Return the results for a program that wrote none: everything measured is None."""
    run, memory = plan["run"], plan["memory"]
    results = blank()
    results.update({
        "schema_version": 1, "run_id": run_id, "seed": run["seed"], "items": run["items"],
        "repetition": repetition, "parameters": {}, "status": "ok", "warmup_items": run["warmup_items"],
        "tail_items": 0, "metrics": run["metrics"],
        **{name: plan[name] for name in ("weir_version", "project_hash", "plan_hash", "project", "deployment",
                                         "scheduler")},
        "planned": {"affinity": {w["name"]: w["cpus"]["planned"] for w in plan["workers"]},
                    "buffers": planned_buffers(plan),
                    "priority": _scheduling(plan),
                    "threads": {w["name"]: _scheduling(w["scheduling"]) for w in plan["workers"] if "scheduling" in w},
                    "memory": {"lock": memory["lock"], "hugepages": memory["hugepages"], "numa": memory["numa"]}}})
    results["trace"]["backend"] = backend
    results["environment"].update(environment)
    return results


def _scheduling(of: Mapping) -> dict[str, Any]:
    """Return the scheduling settings of a plan or a worker, completed with defaults."""
    return {key: of.get(key, usual) for key, usual in asdict(Scheduling()).items()}


@functools.cache
def _validator(name: str):
    import jsonschema

    schema = json.loads((SCHEMA_FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator(schema)


def check_written(value: Any, name: str) -> None:
    """Raise WeirError (E_INTERNAL) if a value to be written does not match its schema, which is a bug in Weir."""
    error = next(iter(sorted(_validator(name).iter_errors(value), key=lambda e: list(map(str, e.absolute_path)))), None)
    if error is not None:
        at = "/" + "/".join(map(str, error.absolute_path))
        raise WeirError(diagnostic("E_INTERNAL", at, f"{name}.json does not match its schema: {error.message[:200]}"))


def read_results(path: Path) -> dict | None:
    """Return the results that a program wrote, None if there are none.

    `check_written` checks them against the schema.
    """
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) and value.get("status") in STATUSES else None


def interference_share(results: Mapping) -> float:
    """Return the share of the run's CPU time that other programs and other guests of the hypervisor used."""
    at = results["environment"]
    return (at["other_programs"] or 0.0) + (at["steal"] or 0.0)


def is_disturbed(results: Mapping) -> bool:
    """Return whether other programs disturbed the run, judged by their CPU time, not by the run's duration."""
    return interference_share(results) > DISTURBED_ABOVE
