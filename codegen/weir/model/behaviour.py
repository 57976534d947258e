"""Declared behaviour of a block: its checks, and its values for an instance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from weir.diagnostics import Diagnostic, diagnostic
from weir.model.document.expressions import WHATEVER_THE_VALUES, ExpressionError, evaluate


def history_of(descriptor: Mapping, values: Mapping[str, Any]) -> int | None:
    """Return how many items of the first input, before those of a firing, the firing depends on: 0 if the block is
    stateless, None if it depends on all of them or if the descriptor does not say. `values` holds the values of all
    parameters. Raises ExpressionError.
    """
    behaviour = descriptor["behaviour"]
    if behaviour["state"] == "stateless":
        return 0
    history = behaviour.get("history")
    if not isinstance(history, Mapping):
        return history
    numbers = {name: value for name, value in values.items() if isinstance(value, int) and not isinstance(value, bool)}
    return max(0, int(evaluate(history["expr"], numbers | lengths_of(values))))


def lengths_of(values: Mapping[str, Any]) -> dict[str, int]:
    """Return the lengths of lists by their names in expressions."""
    return {f"{name}_length": len(value) for name, value in values.items() if isinstance(value, (list, tuple))}


def faults(descriptor: Mapping) -> Iterator[Diagnostic]:
    """Yield the contradictions in the declared behaviour of a block."""
    behaviour, parameters = descriptor.get("behaviour", {}), descriptor.get("parameters", ())

    def wrong(key: str, message: str, hint: str = "") -> Diagnostic:
        return diagnostic("E_DESCRIPTOR", f"/behaviour/{key}", message, hint)

    bounds, rates = behaviour.get("bounds"), behaviour.get("rates")
    if bounds is not None and all(p["id"] != bounds for p in parameters):
        yield wrong("bounds", f"there is no parameter `{bounds}`")
    if behaviour.get("waits") and rates not in (None, "varying"):
        yield wrong("rates", "a block that waits processes only items that are due, not all that it is offered",
                    'set "rates" to "varying"')
    elif bounds is not None and rates == "fixed":
        yield wrong("rates", "a block with bounds ends the stream by itself", 'set "rates" to "until_end"')
    elif behaviour.get("element_wise") and rates not in (None, "fixed"):
        yield wrong("rates", "an element-wise block processes all items that it is offered", 'set "rates" to "fixed"')
    if behaviour.get("paces"):
        yield from _paces(descriptor, wrong)
    if behaviour.get("element_function"):
        ports = [*descriptor.get("inputs", ()), *descriptor.get("outputs", ())]
        if not behaviour.get("element_wise") or behaviour["state"] != "stateless":
            yield wrong("element_function", "an element function uses only the items at the same position",
                        "declare the block as element-wise, with the state \"stateless\"")
        if (len(descriptor.get("outputs", ())) != 1 or not descriptor.get("inputs")
                or any(p.get("rate", 1) != 1 for p in ports)):
            yield wrong("element_function", "an element function needs inputs and one output, all with rate 1")
    if "parallel" in behaviour and (descriptor.get("outputs") or not descriptor.get("inputs")):
        yield wrong("parallel", "only sinks can merge the results of several workers")
    if "history" in behaviour:
        if behaviour["state"] != "history":
            yield wrong("history", f"a block with the state {behaviour['state']} has no history")
        yield from _history(behaviour["history"], parameters)


def _paces(descriptor: Mapping, wrong: Callable[[str, str, str], Diagnostic]) -> Iterator[Diagnostic]:
    if not descriptor["behaviour"].get("waits"):
        yield wrong("paces", "a block that paces its items waits until they are due", 'set "waits" to true')
    rate: Mapping[str, Any] = next((p for p in descriptor.get("parameters", ()) if p["id"] == "rate"), {})
    if rate.get("unit") != "items/s":
        yield wrong("paces", "a block that paces its items must state its rate",
                    "add a parameter \"rate\" in \"items/s\"")
    if len(descriptor.get("outputs", ())) != 1:
        yield wrong("paces", "a block that paces its items has one output", "")


def _history(history: object, parameters: Iterable[Mapping]) -> Iterator[Diagnostic]:
    if not isinstance(history, dict):
        return
    numbers = {p["id"]: 1 for p in parameters if p["type"] == "i64"}
    lengths = {f"{p['id']}_length": 1 for p in parameters if p["type"] == "f32_list"}
    try:
        evaluate(history["expr"], numbers | lengths)
    except ExpressionError as error:
        if error.code in WHATEVER_THE_VALUES:
            yield diagnostic("E_DESCRIPTOR", "/behaviour/history", f"the history: {error.message}",
                             "use numbers, i64 parameters, and the lengths of lists as <parameter>_length")
