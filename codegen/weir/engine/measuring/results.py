"""results.json: what the binary wrote, with what only the runner can know, and the status that follows from both."""

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
from weir.engine.measuring.coordinates import Asked, coordinates
from weir.engine.measuring.latency import HopSamples, PairSamples, latency_fields
from weir.engine.results_model import Kind, blank
from weir.model.document.deployment import Scheduling
from weir.model.document.shape import SCHEMA_FOLDER

if TYPE_CHECKING:
    from weir.diagnostics import Diagnostic
    from weir.model.planning.plan import Plan

#: Warnings of a plan that stand with its runs.
SPINNING = ("W_OVERSUBSCRIBED", "W_SPIN_SHARED")

#: A window under so many seconds makes a throughput uncertain, and every ratio with it (N_SHORT_WINDOW).
SHORT_WINDOW_S = 0.2

#: A run is disturbed when others used more than this share of its CPUs' time (docs/results.md).
DISTURBED_ABOVE = 0.10

#: A thread that sleeps and is woken more often a second, for fewer items each time, mostly wakes (W_SMALL_BURSTS).
MANY_WAKES_PER_S, FEW_ITEMS = 10_000, 100


def has_short_window(results: Mapping) -> bool:
    """Whether the measured window is too short to be relied on."""
    return results["window_s"] is not None and results["window_s"] < SHORT_WINDOW_S


def add_reason(results: dict, code: str, message: str) -> None:
    """Adds one of REASONS, once, and worsens the status accordingly. KeyError for any other code."""
    imposed = REASONS[code].status
    if any(reason["code"] == code for reason in results["reasons"]):
        return
    results["reasons"].append({"code": code, "message": message})
    results["status"] = max(results["status"], imposed, key=STATUSES.index)


def add_not_granted(results: dict, what: str, required: bool) -> None:
    """What a deployment asks for and did not get. A program may have said so of something else."""
    code = "E_NOT_GRANTED" if required else "W_NOT_GRANTED"
    results["reasons"].append({"code": code, "message": what})
    results["status"] = max(results["status"], REASONS[code].status, key=STATUSES.index)


def speaking_against(plan: Plan, warnings: Iterable[Diagnostic]) -> dict[str, str]:
    """Code -> message of the warning of a plan that a run's numbers have to be read with: workers that spin on CPUs
    that others need may make it slower by an order of magnitude. At most one, the first.
    """
    found = [it for it in warnings if it.code in SPINNING] if plan.wait == "spin" else []
    return {it.code: f"{it.message}: {it.hint}" for it in found[:1]}


def add_small_bursts(results: dict, plan: Mapping) -> None:
    """Says so where a thread was woken again and again for a handful of items: that is what its CPU time went into.

    The items are those of whoever is known to have moved most, so no thread had more of them at a time. A run that was
    over at once says nothing about a second.
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
               + (f"a larger `burst_items` of {bursts} lets more of them pass together" if bursts else
                  "larger chunks or fewer workers let it move more of them at a time"))


def add_latency(results: dict, pairs: Sequence[PairSamples], hops: Sequence[HopSamples] = (),
                deadline_ns: int | None = None) -> None:
    """Puts the latencies in, and the reasons that speak against them."""
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
        add_reason(results, "E_NEGATIVE_LATENCY", f"{early} boundaries come to a block before they were sent to it")


def expected_boundaries(plan: Mapping, results: Mapping) -> dict[tuple[str, str], int]:
    """(source, sink) -> boundaries that a complete run crosses; those consumed where that is not known or reached."""
    sinks = {sink["id"]: sink for sink in results["sinks"]}
    boundaries = {}
    for pair in plan["pairs"]:
        sink = sinks.get(pair["sink"], {"items": 0, "expected": 0})
        complete = results["status"] in ("ok", "invalid") and sink["expected"] is not None
        items = sink["expected"] if complete else sink["items"]
        boundaries[pair["source"], pair["sink"]] = items // pair["sink_granularity"]
    return boundaries


def hop_boundaries(plan: Mapping, boundaries: Mapping[tuple[str, str], int]) -> list[int]:
    """What `expected_boundaries` says, by hop of the plan: as many as one of the sinks behind it gets."""
    of_sink = {sink: count for (_, sink), count in boundaries.items()}
    return [max((of_sink.get(sink, 0) for sink in hop["sinks"]), default=0) for hop in plan.get("hops", ())]


def add_request(results: dict, plan: Mapping, document: Mapping, parameters: Mapping[str, Any]) -> None:
    """Puts in what was asked for, which the binary does not know. `parameters`: those of the project.

    What was offered it does know: which sources have a schedule is known there alone.
    """
    results["parameters"] = {**parameters, **results["parameters"]}
    results["requested"] = requested(plan, document)


def requested(plan: Mapping, document: Mapping) -> dict[str, Any]:
    """`requested` of results.json: as the project has it, None where it leaves the choice to the planner."""
    deployment: Mapping[str, Any] = next((d for d in document.get("deployments", ())
                                          if d.get("name") == plan["deployment"]), {})
    asked = plan["requested"]
    return {"affinity": asked["affinity"], "buffers": asked["buffers"], "chunk_items": asked["chunk_items"],
            "workers": asked["workers"],
            "priority": {it.name: deployment.get(it.name) for it in fields(Scheduling)},
            "threads": deployment.get("threads"),
            "memory": deployment.get("memory"), "require": list(plan["require"])}


def add_coordinates(results: dict, plan: Mapping, asked: Asked, version: str | None,
                    kernels: str | None = None) -> None:
    """Puts in where the run stands, and what of its runtime can be told; its protocol may have told that already.

    `version`: of the runtime, None where its target does not tell. `kernels`: the hash of their library, or `inlined`.
    """
    results["coordinates"] = coordinates(results, asked)
    if results["runtime"] is None:
        results["runtime"] = {**blank(Kind("", "runtime")), "target": plan["target"], "version": version,
                              "kernel_object_hash": kernels,
                              "blocks": plan.get("implementation", {}).get("blocks", "shared")}


def planned_buffers(plan: Mapping) -> dict[str, int]:
    """The items of each stream's buffer."""
    return {stream["name"]: stream["planned_items"] for stream in plan["streams"]}


def without_results(plan: Mapping, run_id: str, repetition: int, backend: str, environment: Mapping) -> dict:
    """The results of a binary that wrote none: everything that was to be measured is None."""
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
    """As results have it, of a plan or of a worker in it, which leave out what is usual."""
    return {key: of.get(key, usual) for key, usual in asdict(Scheduling()).items()}


@functools.cache
def _validator(name: str):
    import jsonschema

    schema = json.loads((SCHEMA_FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator(schema)


def check_written(value: Any, name: str) -> None:
    """WeirError (E_INTERNAL) where what we are about to write departs from its schema: that is a fault of Weir's."""
    error = next(iter(sorted(_validator(name).iter_errors(value), key=lambda e: list(map(str, e.absolute_path)))), None)
    if error is not None:
        at = "/" + "/".join(map(str, error.absolute_path))
        raise WeirError(diagnostic("E_INTERNAL", at, f"{name}.json departs from its schema: {error.message[:200]}"))


def read_results(path: Path) -> dict | None:
    """The results that a binary wrote; None where there are none.

    `check_written` sees whether they keep to the schema.
    """
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) and value.get("status") in STATUSES else None


def others_had(results: Mapping) -> float:
    """The share of its CPUs' time that other processes and other guests of the hypervisor had during the run."""
    at = results["environment"]
    return (at["other_programs"] or 0.0) + (at["steal"] or 0.0)


def is_disturbed(results: Mapping) -> bool:
    """Whether others disturbed the run, by what the kernel says of them and not by how long anything took."""
    return others_had(results) > DISTURBED_ABOVE
