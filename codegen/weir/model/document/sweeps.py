"""Axes of a sweep: a project parameter, `deployment`, a value by its JSON Pointer, or a setting by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard

from weir.model.document import options

DEPLOYMENT, TRACE = "deployment", "trace"
#: Every buffer of the deployment has as many bytes, whatever its items are.
BUFFER_BYTES = "buffer_bytes"

#: Settings that a sweep knows by name, where no project parameter is called so: of the run, and of each deployment.
OF_RUN = {rule["x-axis"]: f"/run/{place}" for place, rule in options.OF_RUN.items() if "x-axis" in rule}
OF_DEPLOYMENT = {rule["x-axis"]: place for place, rule in options.OF_DEPLOYMENT.items() if "x-axis" in rule}
#: What the figures of a sweep show, by column of its table.
PLOTTED = ("throughput_items_per_s", "latency_mean_ns", "latency_p50_ns", "latency_p95_ns", "latency_p99_ns",
           "elapsed_s", "of_ceiling", "failure_ratio")
#: Of these, the share of what the bare kernel did beside it; and all that the bare kernel is a ceiling of.
OF_CEILING = "of_ceiling"
#: And the share of what was late or lost. It may be 0, and has no difference in per cent of such a one.
FAILURES = "failure_ratio"
RATES = ("throughput_items_per_s", OF_CEILING)
#: Shares, over which others' may be laid.
OVERLAID = (OF_CEILING, FAILURES)
#: What expressions of a sweep know beside its axes: the CPUs that there are; and the bare kernel, in the unit of `y`.
CPUS, CEILING = "cpus", "ceiling"


def place_of(key: str, deployment: int) -> str:
    """The place of a setting that is named, by JSON Pointer; of the deployment of that number where it is one's."""
    return OF_RUN.get(key) or f"/deployments/{deployment}/{OF_DEPLOYMENT.get(key, key)}"


def names(document: Mapping) -> list[str]:
    """Return the names that a sweep of this project can vary."""
    parameters = document.get("parameters", {})
    own = [DEPLOYMENT, BUFFER_BYTES, *OF_RUN, *OF_DEPLOYMENT]
    return [*parameters, *(name for name in own if name not in parameters)]


def numbers_of(document: Mapping, vary: Mapping) -> list[str]:
    """The axes that expressions know by their names: those of numbers alone."""
    return [key for key, values in vary.items() if not key.startswith("/") and key in names(document)
            and all(is_number(value) for value in values)]


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a JSON value is a number and not a Boolean."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_parameter(key: str, document: Mapping) -> bool:
    """Return whether the key is a value of the project or of a block, and not a setting of the run or deployment."""
    if key.startswith("/"):
        return not key.startswith(("/run/", "/deployments/"))
    return key != DEPLOYMENT and key in document.get("parameters", {})
