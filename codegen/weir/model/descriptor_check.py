"""Checks descriptors of blocks, schedulers and targets: their shape, and what a schema cannot express."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from weir import ROOT
from weir.diagnostics import Diagnostic, diagnostic, did_you_mean
from weir.model import behaviour
from weir.model.document import jsontext
from weir.model.document.expressions import WHATEVER_THE_VALUES, ExpressionError, evaluate
from weir.model.document.shape import check_shape

SCHEDULERS = ROOT / "runtime" / "schedulers"


@lru_cache(maxsize=1024)
def faults_of_shape(data: bytes, kind: str) -> tuple[Diagnostic, ...]:
    """Return the schema faults of a descriptor. Cached, because this is most of the time for loading a catalog, and a
    process may load it many times.
    """
    descriptor, faults = jsontext.read(data)
    return tuple(faults or check_shape(descriptor, kind))


def faults_of_meaning(descriptor: dict, file: Path) -> Iterator[Diagnostic]:
    """Yield the faults of a descriptor that the schema cannot express."""
    if descriptor["id"] != file.parent.name:
        yield diagnostic("E_DESCRIPTOR", "/id", f"the id `{descriptor['id']}` differs from the name of the folder")
    ports = [*descriptor.get("inputs", ()), *descriptor.get("outputs", ())]
    if "inputs" in descriptor or "outputs" in descriptor:
        if len({p["id"] for p in ports}) < len(ports):
            yield diagnostic("E_DESCRIPTOR", "", "two ports have the same id")
        if any(p["type"] == "T" for p in ports) and "item_types" not in descriptor:
            yield diagnostic("E_DESCRIPTOR", "", "a port has type T, but there are no item_types")
    parameters = descriptor.get("parameters", ())
    if len({p["id"] for p in parameters}) < len(parameters):
        yield diagnostic("E_DESCRIPTOR", "/parameters", "two parameters have the same id")
    structural = {p["id"] for p in parameters if p.get("structural") and p["type"] == "i64"}
    lengths = {f"{p['id']}_length" for p in parameters if p.get("structural") and p["type"] == "f32_list"}
    for i, parameter in enumerate(parameters):
        if (parameter["type"] == "enum") != ("options" in parameter):
            yield diagnostic("E_DESCRIPTOR", f"/parameters/{i}", "`options` is required for an enum, and only for an "
                                                                 "enum")
        if (parameter["type"] == "path") != ("access" in parameter):
            yield diagnostic("E_DESCRIPTOR", f"/parameters/{i}", "`access` is required for a path, and only for a path")
        if parameter["type"] != "f32_list" and "design" in parameter:
            yield diagnostic("E_DESCRIPTOR", f"/parameters/{i}/design", "only an f32_list can have a design")
        if "default_text" in parameter and "default" not in parameter:
            yield diagnostic("E_DESCRIPTOR", f"/parameters/{i}/default_text",
                             "`default_text` replaces a default, but this parameter has none")
        if "beside" in parameter and parameter["type"] != "path":
            yield diagnostic("E_DESCRIPTOR", f"/parameters/{i}", "only a path can have accompanying files")
        if "minimum_length" in parameter and parameter["type"] != "f32_list":
            yield diagnostic("E_DESCRIPTOR", f"/parameters/{i}/minimum_length", "only an f32_list has a minimum length")
        yield from _relations(parameter, f"/parameters/{i}", parameters)
    for port in ports:
        yield from _rate(port, {*structural, *lengths})
    yield from _jobs(descriptor, structural)
    for i, parameter in enumerate(parameters if "planner" in descriptor else ()):
        if not parameter.get("structural"):
            yield diagnostic("E_DESCRIPTOR", f"/parameters/{i}",
                             f"the planner depends on `{parameter['id']}`, but a program could change this parameter",
                             "set \"structural\" to true, so that the value is fixed when the program is generated")
    yield from _code(descriptor, parameters)
    yield from behaviour.faults(descriptor)


def _relations(parameter: dict, at: str, parameters: Iterable[dict]) -> Iterator[Diagnostic]:
    """Check the relation of a parameter's range to another parameter."""
    for key, own, what, fits in (("below", "i64", "an i64", lambda p: p["type"] == "i64"),
                                 ("within_file", "i64", "a path to read", lambda p: p.get("access") == "read"),
                                 ("sampled_at", "f64", "an f64", lambda p: p["type"] == "f64")):
        if key in parameter and not (parameter["type"] == own
                                     and any(p["id"] == parameter[key] and fits(p) for p in parameters)):
            yield diagnostic("E_DESCRIPTOR", f"{at}/{key}",
                             f"`{key}` belongs to an {own}, and names {what} among the other parameters")


def _code(descriptor: dict, parameters: Iterable[dict]) -> Iterator[Diagnostic]:
    """Check which scheduler's code runs a scheduler without code of its own."""
    code_of = descriptor.get("code_of")
    if code_of is None:
        return
    if not (SCHEDULERS / code_of / f"{code_of}.hpp").is_file():
        known = [file.stem for file in sorted(SCHEDULERS.glob("*/*.hpp"))]
        yield diagnostic("E_DESCRIPTOR", "/code_of", f"Weir has no scheduler `{code_of}` with its own code",
                         did_you_mean(code_of, known) or f"choose one of {', '.join(known)}")
        return
    its = json.loads((SCHEDULERS / code_of / "scheduler.json").read_bytes())
    if descriptor.get("jobs") != its.get("jobs"):
        yield diagnostic("E_DESCRIPTOR", "/jobs", f"the code of `{code_of}` has different jobs: "
                                                  f"{its.get('jobs', 'none')}",
                         "state the same `jobs`, or write your own header")
    if "planner" in its and "planner" not in descriptor:
        yield diagnostic("E_DESCRIPTOR", "/code_of", f"the code of `{code_of}` runs a schedule, but this scheduler "
                                                     "makes none",
                         "add a `planner`")
    for i, parameter in enumerate(parameters):
        if not parameter.get("structural"):
            yield diagnostic("E_DESCRIPTOR", f"/parameters/{i}",
                             f"the code of `{code_of}` has no run-time parameter `{parameter['id']}`",
                             'set "structural" to true, or write a header with these parameters')


def _jobs(descriptor: dict, structural: set[str]) -> Iterator[Diagnostic]:
    """Check the declaration of a scheduler's jobs."""
    if "jobs" in descriptor and (descriptor["workers"] != "chosen" or descriptor["placement"]):
        yield diagnostic("E_DESCRIPTOR", "/jobs",
                         "a scheduler with jobs needs a chosen number of workers, and has no placement",
                         'set "workers" to "chosen" and "placement" to false')
    count = descriptor.get("job_count")
    if count is not None and (descriptor.get("jobs") != "list" or count not in structural):
        yield diagnostic("E_DESCRIPTOR", "/job_count",
                         "job_count must name a structural i64 parameter of a scheduler with lists")


def _rate(port: dict, structural: set[str]) -> Iterator[Diagnostic]:
    rate = port.get("rate", 1)
    if not isinstance(rate, dict):
        return
    try:
        evaluate(rate["expr"], dict.fromkeys(structural, 1))
    except ExpressionError as error:
        # Other faults depend on the parameters' values, and are reported for the instance that has these values.
        if error.code in WHATEVER_THE_VALUES:
            yield diagnostic("E_DESCRIPTOR", "", f"the rate of port `{port['id']}`: {error.message}",
                             "use numbers, structural i64 parameters, and the lengths of structural lists as "
                             "<parameter>_length")
