"""Axes of a sweep: a project parameter, `deployment`, a value by its JSON Pointer, or a setting by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard

from weir.model.document import options

DEPLOYMENT, TRACE = "deployment", "trace"
#: Axis that gives every buffer of the deployment this many bytes, regardless of the item type.
BUFFER_BYTES = "buffer_bytes"

#: Settings that a sweep knows by name unless a project parameter has that name: of the run, and of each deployment.
OF_RUN = {rule["x-axis"]: f"/run/{place}" for place, rule in options.OF_RUN.items() if "x-axis" in rule}
OF_DEPLOYMENT = {rule["x-axis"]: place for place, rule in options.OF_DEPLOYMENT.items() if "x-axis" in rule}
#: Columns of a sweep's table that its figures can show.
PLOTTED = ("throughput_items_per_s", "latency_mean_ns", "latency_p50_ns", "latency_p95_ns", "latency_p99_ns",
           "elapsed_s", "of_ceiling", "failure_ratio")
#: Throughput as a share of the speed check's. RATES: the columns for which the bare kernel is a ceiling.
OF_CEILING = "of_ceiling"
#: Share of items that were late or lost. It may be 0, so a difference in per cent is undefined.
FAILURES = "failure_ratio"
RATES = ("throughput_items_per_s", OF_CEILING)
#: Columns with shares, over which the same shares of other runtimes may be drawn.
OVERLAID = (OF_CEILING, FAILURES)
#: Names in expressions of a sweep besides its axes: the number of CPUs, and the bare kernel's speed in the unit of `y`.
CPUS, CEILING = "cpus", "ceiling"


def place_of(key: str, deployment: int) -> str:
    """Return the JSON pointer of a named setting. A setting of deployments is taken from the given deployment."""
    return OF_RUN.get(key) or f"/deployments/{deployment}/{OF_DEPLOYMENT.get(key, key)}"


def names(document: Mapping) -> list[str]:
    """Return the names that a sweep of this project can vary."""
    parameters = document.get("parameters", {})
    own = [*document.get("cases", {}), DEPLOYMENT, BUFFER_BYTES, *OF_RUN, *OF_DEPLOYMENT]
    return list(dict.fromkeys([*parameters, *own]))


def cases_of(document: Mapping, key: str) -> Mapping[str, Mapping[str, object]]:
    """Return the cases of an axis: value -> JSON pointer -> what it sets. Empty if the project defines none."""
    cases: Mapping[str, Mapping[str, object]] = {} if key in document.get("parameters", {}) else \
        document.get("cases", {}).get(key, {})
    return cases


def numbers_of(document: Mapping, vary: Mapping) -> list[str]:
    """Return the axes that expressions can use by name: those with numbers only."""
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
