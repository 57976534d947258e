"""Check whether a target can make the program of a deployment: scheduler, blocks and settings. Executes no target code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from weir.diagnostics import Diagnostic, Fix, diagnostic, did_you_mean
from weir.model.catalog import Catalog
from weir.model.document.deployment import Build, Deployment, default_deployment
from weir.model.flowgraph.graph import Graph
from weir.model.flowgraph.replacing import HARDWARE, needs_hardware
from weir.model.target_type import Target

#: Settings of a deployment that the program of a target must support. Workers, placement and waiting belong to the
#: scheduler. `build` follows from the target's `words`.
SETTINGS = ("affinity", "buffers", "chunk_items", "policy", "priority", "runtime_us", "deadline_us", "period_us",
            "timer_slack_ns", "threads", "memory", "volk", "alignment", "replace", "windows", "require")
#: Further thread settings, which a target supports if it supports `policy`.
_OF_THREADS = ("priority", "runtime_us", "deadline_us", "period_us", "timer_slack_ns", "threads")


def check_target(deployment: Deployment, graph: Graph, catalog: Catalog, run: Mapping[str, Any],
                 stated: bool) -> list[Diagnostic]:
    """Return a diagnostic for everything that the target lacks. `run`: the run settings of the document. `stated`: the
    deployment names its target.
    """
    at = f"{deployment.pointer}/{'target' if stated else 'scheduler'}" if deployment.pointer else ""
    scheduler = catalog.schedulers[deployment.scheduler]
    target = catalog.targets.get(deployment.target)
    if target is None and stated:
        return [diagnostic("E_TARGET_UNKNOWN", at, f"there is no target `{deployment.target}`",
                           did_you_mean(deployment.target, catalog.targets))]
    if target is None:
        needed = "; ".join(f"`{t.id}` needs {scheduler.lacks(t)}"
                           for t in catalog.targets.values())
        return [diagnostic("E_TARGET_SCHEDULER", at,
                           f"no target supports `{scheduler.id}`" + (f": {needed}" if needed else ""),
                           "add the file to the folder of the scheduler, or choose another scheduler")]
    if missing := scheduler.lacks(target):
        offered = _listed([s.id for s in catalog.schedulers_of(target)])
        return [diagnostic("E_TARGET_SCHEDULER", at,
                           f"target `{target.id}` does not support `{scheduler.id}`, whose folder has no {missing}",
                           f"this target supports {offered}" if offered else "choose another target")]
    return [*_blocks(target, graph, catalog, at), *_hardware(target, deployment, graph), *_settings(target, deployment),
            *_build(target, deployment), *_run(target, run, at)]


def _blocks(target: Target, graph: Graph, catalog: Catalog, at: str) -> Iterator[Diagnostic]:
    """Check the blocks of a flowgraph. A block that is used many times is reported once, with its first instance."""
    first: dict[Any, Any] = {}
    for instance in graph.instances:
        first.setdefault(instance.type.id, instance)
    for kind, instance in first.items():
        if instance.type.of_gnuradio != target.hosts_gnuradio:
            why = ("only GNU Radio's own programs contain GNU Radio's blocks" if instance.type.of_gnuradio else
                   "GNU Radio's own programs do not contain Weir's blocks")
            yield diagnostic("E_TARGET_BLOCK", at, f"target `{target.id}` does not support `{instance.block_id}` "
                                                   f"({kind}): {why}",
                             f"choose the scheduler {catalog.gnuradio_scheduler()}" if instance.type.of_gnuradio
                             else "")
            return
        if missing := target.lacking("block", kind, instance.type.folder):
            others = _listed([t.id for t in catalog.targets.values()
                              if not t.lacking("block", kind, instance.type.folder)])
            yield diagnostic("E_TARGET_BLOCK", at,
                             f"target `{target.id}` does not support `{instance.block_id}` ({kind}), whose folder has "
                             f"no {missing}",
                             "choose another block" + (f", or another target: {others}" if others else ""))


def _hardware(target: Target, deployment: Deployment, graph: Graph) -> Iterator[Diagnostic]:
    needing = [f"{it.block_id} ({it.type.id})" for it in graph.instances if needs_hardware(it)]
    if target.hosts_gnuradio and needing and HARDWARE not in deployment.replace:
        at = f"{deployment.pointer}/replace"
        yield diagnostic("W_HARDWARE", deployment.pointer,
                         f"deployment `{deployment.name}` needs the device, sound card or network of "
                         f"{_listed(needing)}",
                         fixes=[Fix("Replace the hardware", at, "set", [*deployment.replace, HARDWARE])])


def _settings(target: Target, deployment: Deployment) -> Iterator[Diagnostic]:
    usual = default_deployment()
    for key in SETTINGS:
        heeded = "policy" if key in _OF_THREADS else key
        if heeded not in target.settings and getattr(deployment, key) != getattr(usual, key):
            yield diagnostic("E_TARGET_SETTING", f"{deployment.pointer}/{key}",
                             f"target `{target.id}` does not support `{key}`",
                             "remove the setting, or choose another target")
    for place, why in target.unheeded.items():
        key, _, part = place.partition("/")
        requested, plain = getattr(deployment, key), getattr(usual, key)
        if (getattr(requested, part) != getattr(plain, part)) if part else requested != plain:
            yield diagnostic("W_TARGET_SETTING", f"{deployment.pointer}/{place}",
                             f"target `{target.id}` ignores this setting: {why}")
    if deployment.blocks == "native" and deployment.volk != usual.volk and not target.natives_call_volk:
        yield diagnostic("W_TARGET_SETTING", f"{deployment.pointer}/volk",
                         f"native blocks of `{target.id}` ignore `volk`")
    for key, offered in (("blocks", target.blocks), ("kernels", target.kernels)):
        requested = getattr(deployment, key)
        if requested and requested not in offered:
            yield diagnostic("E_TARGET_SETTING", f"{deployment.pointer}/{key}",
                             f"target `{target.id}` does not support `{requested}` as `{key}`",
                             f"this target supports {_listed(list(offered))}")


def _build(target: Target, deployment: Deployment) -> Iterator[Diagnostic]:
    usual = asdict(Build())
    for key, value in asdict(deployment.build).items():
        if value != usual[key] and not target.heeds_build(key):
            yield diagnostic("E_TARGET_SETTING", f"{deployment.pointer}/build/{key}",
                             f"target `{target.id}` builds its programs without `{key}`",
                             "remove the setting, or choose another target")


def _run(target: Target, run: Mapping[str, Any], at: str) -> Iterator[Diagnostic]:
    """Check the run settings that the project states itself, without the defaults."""
    trace, metrics = run.get("trace", {}).get("backend"), run.get("metrics")
    if trace and trace != target.nearest_trace(trace):
        less = ("its programs record events in memory" if target.nearest_trace(trace) == "memory" else
                "its programs measure no latencies")
        yield diagnostic("W_TARGET_RUN", at, f"target `{target.id}` does not support the trace back-end `{trace}`: "
                                             f"{less}")
    if metrics and metrics != target.nearest_metrics(metrics):
        yield diagnostic("W_TARGET_RUN", at, f"target `{target.id}` does not support the metrics `{metrics}`: its "
                                             f"programs measure `{target.nearest_metrics(metrics)}`")


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names[:8]) + (", …" if len(names) > 8 else "")
