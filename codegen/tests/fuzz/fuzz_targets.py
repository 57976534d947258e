"""Fuzz targets: for each reader of input, a generator of inputs and a property that must hold for each input.

A property is an assertion. Any exception except those that the reader documents is a fault.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import properties
from mutation import any_value, changed_value, mutated_bytes, mutated_value, text_of
from nearly_valid import HOSTILE, Maker, expression
from weir.model.document.shape import schema
from world import World


@dataclass(frozen=True)
class FuzzTarget:
    """Reader under test. `share`: of all inputs. `make` returns an input for `check`; both use only their arguments."""

    name: str
    share: float
    make: Callable[[random.Random, World], object]
    check: Callable[[object, World], None]


def _times(dice: random.Random) -> int:
    return dice.choice((1, 1, 1, 2, 3, 6))


def _text(dice: random.Random, world: World) -> bytes:
    if dice.random() < 0.1:
        return bytes(dice.randrange(256) for _ in range(dice.randrange(40)))
    if dice.random() < 0.3:
        return mutated_bytes(text_of(any_value(dice), dice), dice, _times(dice))
    return mutated_bytes(dice.choice(world.texts)[:4000], dice, _times(dice))


def _expression(dice: random.Random, world: World) -> str:
    text = expression(dice, dice.choice((1, 2, 3, 4)))
    if dice.random() < 0.3:
        text = mutated_bytes(text.encode("utf-8", "surrogatepass"), dice, 1).decode("utf-8", "replace")
    return text if dice.random() < 0.995 else text * 200


def _project_bytes(dice: random.Random, world: World) -> bytes:
    if dice.random() < 0.3:
        return text_of(changed_value(dice.choice(world.examples), dice, _times(dice)), dice)
    data = text_of(mutated_value(dice.choice(world.projects), dice, _times(dice)), dice)
    return mutated_bytes(data, dice, 1) if dice.random() < 0.05 else data


def nearly_valid_project(dice: random.Random, world: World) -> dict:
    """Return a project valid by the schema, mostly with the graph of an example, so that later stages are reached."""
    document = Maker(schema("project"), world.words, dice).document()
    if isinstance(document, dict) and dice.random() < 0.8:
        example = dice.choice(world.examples)
        document.update({key: mutated_value(example[key], dice, 0) for key in ("graph", "schema_version", "name")})
        document["parameters"] = mutated_value(example.get("parameters", {}), dice, 0)
        if dice.random() < 0.5:
            document["graph"] = mutated_value(document["graph"], dice, 1)
    return document


def _schema_bytes(dice: random.Random, world: World) -> bytes:
    return text_of(nearly_valid_project(dice, world), dice)


def _sets(dice: random.Random, world: World) -> tuple[bytes, dict[str, str]]:
    document = dice.choice(world.projects)
    keys = ["stages", "/run/items", "/run", "/graph/blocks/0/parameters/items", "/graph/blocks/0", "/deployments/0",
            "/deployments/0/workers", "/graph/connections/0/0", "/ui", "", "/", "//", "/x_note", "/graph/blocks/-",
            "/graph/blocks/00", "/run/items/0", "/graph/pipes", "/title", *HOSTILE]
    values = (*HOSTILE, "1", "2.4M", "-1", "[1, 2]", '{"a": 1}', "null", "nan", "1e999", "flow", expression(dice),
              text_of(any_value(dice), dice).decode("utf-8", "replace"))
    return text_of(document, dice), {dice.choice(keys): dice.choice(values) for _ in range(dice.randint(1, 3))}


def _deployment(dice: random.Random, world: World) -> tuple[bytes, object]:
    """Return an example under nearly valid deployments, and a machine that may be odd."""
    document = dict(dice.choice(world.examples))
    deployments = schema("project")["properties"]["deployments"]["items"]
    names = [b["id"] for b in document["graph"]["blocks"]]
    maker = Maker(schema("project"), [*names * 3, *world.words, *world.catalog.schedulers] * 2, dice)
    made = []
    for i in range(dice.randint(1, 2)):
        entry = maker.value(deployments, 6)
        if isinstance(entry, dict):
            entry.update({"name": f"d{i}", "scheduler": dice.choice(list(world.catalog.schedulers))})
            for key in [k for k in entry if k in ("build", "target", "parameters", "affinity", "placement", "policy",
                                                  "priority", "wait")]:
                if dice.random() < 0.6:
                    del entry[key]
            made.append(entry)
    document["deployments"] = made
    if dice.random() < 0.3:
        document["run"] = maker.value(schema("project")["properties"]["run"], 5)
    machine = mutated_value(dice.choice(world.machines), dice, dice.choice((0, 1, 2)))
    return text_of(document, dice), machine


def _machine(dice: random.Random, world: World) -> bytes:
    if dice.random() < 0.3:
        return text_of(Maker(schema("machine"), world.words, dice).document(), dice)
    return text_of(mutated_value(dice.choice(world.machines), dice, _times(dice)), dice)


def _descriptor(dice: random.Random, world: World) -> tuple[str, str, bytes]:
    kind, descriptor = dice.choice(world.descriptors)
    small = {key: value for key, value in descriptor.items() if key != "vectors"}
    if dice.random() < 0.3:
        made = Maker(schema(kind), world.words, dice).document()
        if isinstance(made, dict):
            made.update({"format": 1, "id": small["id"]})
        return kind, str(small["id"]), text_of(made, dice)
    return kind, str(small["id"]), text_of(mutated_value(small, dice, _times(dice)), dice)


def _hgrm(dice: random.Random, world: World) -> bytes:
    if dice.random() < 0.5:
        return mutated_bytes(properties.HGRM, dice, _times(dice))
    rows = [f"{dice.choice((dice.random() * 1e6, math.inf, -1.0, 1e400)):12.3f} {dice.random():2.12f} "
            f"{dice.randrange(10**9):10d} {dice.random() * 100:14.2f}" for _ in range(dice.randrange(5))]
    return ("\n".join([dice.choice(("Value Percentile TotalCount 1/(1-Percentile)", "", "#")), *rows, ""])).encode()


def _stored(dice: random.Random, world: World) -> tuple[str, bytes]:
    """Return a damaged file of a run directory."""
    name = dice.choice(("results.json", "results.json", "run.json", "plan.json", "project.json", "machine.json",
                        "latency.hgrm", "blocks.csv"))
    data = (properties.stored_run(world) / name).read_bytes()
    if name.endswith(".json") and dice.random() < 0.8:
        return name, text_of(mutated_value(json.loads(data), dice, _times(dice)), dice)
    return name, mutated_bytes(data, dice, _times(dice))


def _flowgraph(dice: random.Random, world: World) -> bytes:
    """Return a damaged flowgraph of GNU Radio: its text, its values (JSON is YAML), or an expression."""
    text, value = dice.choice(world.flowgraphs)
    kind = dice.random()
    if kind < 0.3:
        return mutated_bytes(text, dice, _times(dice))
    if kind < 0.7 or not isinstance(value, dict):
        return text_of(mutated_value(value, dice, _times(dice)), dice)
    document = json.loads(json.dumps(value))
    for _ in range(_times(dice)):
        block = dice.choice(document["blocks"])
        if block.get("parameters"):
            name = dice.choice(list(block["parameters"]))
            block["parameters"][name] = _expression(dice, world)[:500]
    return text_of(document, dice)


FUZZ_TARGETS = (
    FuzzTarget("text", 0.36, _text, properties.text),
    FuzzTarget("expression", 0.36, _expression, properties.expression),
    FuzzTarget("flowgraph of GNU Radio", 0.01, _flowgraph, properties.flowgraph),
    FuzzTarget("project, damaged", 0.11, _project_bytes, properties.project),
    FuzzTarget("project, by schema", 0.03, _schema_bytes, properties.project),
    FuzzTarget("--set", 0.05, _sets, properties.overrides),
    FuzzTarget("deployment and machine", 0.02, _deployment, properties.deployment),
    FuzzTarget("machine file", 0.025, _machine, properties.machine),
    FuzzTarget("descriptor", 0.025, _descriptor, properties.descriptor),
    FuzzTarget("hgrm", 0.008, _hgrm, properties.hgrm),
    FuzzTarget("stored run", 0.002, _stored, properties.stored),
)
