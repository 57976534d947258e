"""Planning of random graphs for one scheduler: requests to its planner, and the plans that result."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from weir import ROOT
from weir.diagnostics import ERROR, WeirError
from weir.engine.conformance import random_graphs
from weir.engine.conformance.deployments import choices
from weir.engine.conformance.random_graphs import Drawn
from weir.model.catalog import Catalog, SchedulerType, load_catalog
from weir.model.check import Valid, check
from weir.model.planning import planners
from weir.model.planning.machine import Machine
from weir.model.planning.plan import Plan, make_plan, request_of
from weir.model.planning.planner import Arrangement, Request

BLOCKS = ROOT / "runtime" / "tests" / "conformance" / "blocks"
MINE, FLOW = "mine", "flow"


class Refused(Exception):
    """The scheduler does not support a graph, according to its descriptor or its planner."""


@dataclass(frozen=True)
class Case:
    """A random graph, and the settings of its deployment (`wish`)."""

    graph: Drawn
    wish: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Return the name of the case in findings."""
        return f"random graph, {random_graphs.counted(self.graph.items)}"

    def text(self) -> str:
        """Return the graph and the deployment as text for people."""
        return f"{self.graph.text()}\ndeployment: {json.dumps(dict(self.wish))}"

    def saved(self, folder: Path) -> str:
        """Save the case as a project in the folder and return the file's path."""
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"graph_{self.graph.seed}.weir.json"
        file.write_text(json.dumps(self.document(), indent=1) + "\n", encoding="utf-8")
        return str(file)

    def document(self) -> dict[str, Any]:
        """Return the project with two deployments: the one under test and `flow`."""
        return self.graph.project(deployments=[{"name": MINE, **self.wish}, {"name": FLOW, "scheduler": "flow"}])


@dataclass(frozen=True)
class PlanningContext:
    """Catalog and machine for planning the random graphs of one scheduler.

    `catalog` includes the kit's blocks and the scheduler. `folder` receives the graphs that violate a claim.
    """

    scheduler: SchedulerType
    catalog: Catalog
    machine: Machine
    folder: Path

    @classmethod
    def of(cls, scheduler: SchedulerType, machine: Machine, folder: Path) -> PlanningContext:
        """Return the context for one scheduler, with the kit's blocks."""
        catalog = load_catalog([BLOCKS])
        catalog = replace(catalog, schedulers={**catalog.schedulers, scheduler.id: scheduler})
        return cls(scheduler, catalog, machine, folder)

    def case(self, seed: int) -> Case:
        """Return the random graph of a seed with a random deployment."""
        graph, dice = random_graphs.draw(seed), random.Random(f"deployment {seed}")
        flat = check(json.dumps(graph.project()), catalog=self.catalog).valid().graph
        target, *_ = self.catalog.targets_of(self.scheduler)
        return Case(graph, {"scheduler": self.scheduler.id,
                            **choices(self.scheduler, target, flat, dice, plain=dice.random() < 0.2)})

    def checked(self, case: Case) -> Valid:
        """Check a case. Raises Refused if the scheduler does not support the graph."""
        found = check(json.dumps(case.document()), catalog=self.catalog)
        for fault in found.diagnostics:
            if fault.severity == ERROR:
                raise Refused(f"{fault.code}: {fault.message}")
        return found.valid()

    def request(self, case: Case) -> Request:
        """Return the request to the planner. Raises Refused."""
        found = self.checked(case)
        return request_of(found.graph, found.rates, self.catalog, self.machine, found.project.deployment(MINE))

    def arranged(self, request: Request) -> Arrangement:
        """Return the planner's arrangement. Raises Refused, or WeirError if the arrangement is wrong."""
        with _refusing():
            return planners.arrange(request)

    def plan(self, checked: Valid, deployment: str) -> Plan:
        """Return the plan of a deployment. Raises Refused, or WeirError if the plan is wrong."""
        with _refusing():
            return make_plan(checked.project, checked.graph, self.catalog, self.machine,
                             checked.project.deployment(deployment)).plan


@contextlib.contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except WeirError as error:
        if error.diagnostics[0].code == "E_PLANNER_REFUSES":
            raise Refused(error.diagnostics[0].message) from None
        raise


def said(made: Arrangement) -> dict[str, str]:
    """Return an arrangement as one text per field, so that equal arrangements have equal texts."""
    named = {field.name: getattr(made, field.name) for field in fields(made)}
    return {name: repr(sorted(map(repr, value.items())) if name == "chunks" else value)
            for name, value in named.items()}
