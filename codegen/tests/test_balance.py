"""Test placement `auto`: optimal on small graphs, deterministic, and never worse than an even cut."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pytest
from planning import EXAMPLES, chain, checked, deployed, machine, plan, project, workers
from weir.model.document.deployment import Deployment, Placement
from weir.model.flowgraph.components import connected
from weir.model.planning import balance
from weir.model.planning.cutting import Charge, Load, share_out
from weir.model.planning.plan import make_plan, request_of
from weir.model.planning.profile import BlockCost, Profile

SOURCE, SINK = {"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}}, "digest_sink"


def random_graph(dice: random.Random):
    """Return a graph of a few sources, adders and copies with one or more readers per output, or a sink."""
    blocks, wires, open_ends = [], [], []
    for number in range(dice.randint(1, 2)):
        blocks.append({**SOURCE, "id": f"s{number}"})
        open_ends.append(f"s{number}.out")
    read = set()
    for number in range(dice.randint(1, 3)):
        kind = dice.choice(("copy", "copy", "add"))
        name, inputs = f"b{number}", ("in",) if kind == "copy" else ("in1", "in2")
        blocks.append({"id": name, "type": kind})
        for port in _ports(kind, inputs):
            end = dice.choice(open_ends)
            read.add(end)
            wires.append(f"{end} > {name}.{port}")
        open_ends.append(f"{name}.out")
    for number, end in enumerate(sorted(set(open_ends) - read)):
        blocks.append({"id": f"z{number}", "type": SINK})
        wires.append(f"{end} > z{number}.in")
    return checked(project(blocks, wires))


def _ports(kind: str, wanted: tuple[str, ...]) -> list[str]:
    from weir.model.catalog import load_catalog

    return [port.id for port in load_catalog().blocks[kind].inputs][:len(wanted)]


def random_load(it, dice: random.Random, crossing: float) -> Load:
    """Return the charges of the graph with other costs."""
    request = request_of(it.graph, it.rates, it.catalog, machine("two_core"), Deployment("d", "flow"))
    made = balance.load_of(request)
    return Load({name: dice.randint(1, 9) for name in made.own},
                [Charge(c.at, c.together, dice.uniform(0, crossing)) for c in made.charges])


def feeds_in_a_circle(graph, worker_of) -> bool:
    arrows = {(worker_of[e.src], worker_of[e.dst]) for e in graph.edges if worker_of[e.src] != worker_of[e.dst]}
    while ends := {b for _, b in arrows} - {a for a, _ in arrows}:
        arrows = {(a, b) for a, b in arrows if b not in ends}
    return bool(arrows)


def best_of_all(graph, load: Load, most: int) -> tuple[float, float]:
    """Return the cost of the busiest worker and of all, best over all assignments without a circle of workers."""
    found = []
    for chosen in itertools.product(range(most), repeat=len(load.own)):
        worker_of = {name: f"w{worker}" for name, worker in zip(load.own, chosen)}
        if not feeds_in_a_circle(graph, worker_of):
            loads = load.of(worker_of).values()
            found.append((max(loads), sum(loads)))
    busiest = min(found)[0]
    return busiest, min(total for most_of, total in found if most_of <= busiest * (1 + 1e-9))


@pytest.mark.parametrize("seed", range(40))
def test_on_small_graphs_it_is_the_best_of_all(seed: int) -> None:
    dice = random.Random(seed)
    it = random_graph(dice)
    load, most = random_load(it, dice, dice.choice((0.0, 1.0, 4.0))), dice.choice((2, 3))
    worker_of = share_out(it.graph, load, most)
    loads = load.of(worker_of).values()
    assert set(worker_of) == set(load.own) and not feeds_in_a_circle(it.graph, worker_of)
    assert (max(loads), sum(loads)) == pytest.approx(best_of_all(it.graph, load, most))


@pytest.mark.parametrize("seed", range(20))
def test_a_chain_has_the_best_cuts(seed: int) -> None:
    """Compare with all contiguous placements."""
    dice = random.Random(seed)
    it = checked(chain(dice.randint(3, 9)))
    load, most = random_load(it, dice, 3.0), dice.choice((2, 3, 4))
    names = list(load.own)
    cuts = [sorted(c) for k in range(most) for c in itertools.combinations(range(1, len(names)), k)]
    all_of = [{name: f"w{sum(cut <= at for cut in of)}" for at, name in enumerate(names)} for of in cuts]
    best = min(max(load.of(worker_of).values()) for worker_of in all_of)
    assert max(load.of(share_out(it.graph, load, most)).values()) == pytest.approx(best)


def test_nothing_is_cut_where_that_costs_more_than_it_gains() -> None:
    it = checked(chain(4))
    dear = Load(dict.fromkeys([i.name for i in it.graph.instances], 1.0),
                [Charge(e.src, frozenset((e.src, e.dst)), 100.0) for e in it.graph.edges])
    assert set(share_out(it.graph, dear, 2).values()) == {"w0"}


def test_pipes_that_are_alike_are_not_cut() -> None:
    it = checked(chain(9, pipes=6))
    load = random_load(it, random.Random(1), 1.0)
    even = Load(dict.fromkeys(load.own, 1.0), load.charges)
    worker_of = share_out(it.graph, even, 3)
    assert all(len({worker_of[i.name] for i in part}) == 1 for part in connected(it.graph))
    assert sorted(even.of(worker_of).values()) == [24.0, 24.0, 24.0]


def test_a_long_graph_is_placed_quickly_and_well() -> None:
    it = checked(chain(3000))
    load = random_load(it, random.Random(2), 0.5)
    loads = load.of(share_out(it.graph, load, 4))
    assert len(loads) == 4 and max(loads.values()) < 1.01 * sum(load.own.values()) / 4 + 2


PROFILE = Profile({"source": BlockCost(1.0), "limit": BlockCost(1.0), "stage": BlockCost(1.0), "sink": BlockCost(7.0)})
AUTO = {"strategy": "auto"}


def test_a_profile_moves_the_cut_and_is_a_part_of_the_plan() -> None:
    document = deployed(chain(4), placement=AUTO, workers=2, wait="park")
    it = checked(document)
    of = [make_plan(it.project, it.graph, it.catalog, machine("two_core"), profile=profile)
          for profile in (None, PROFILE, PROFILE)]
    assumed, measured, again = (workers(one) for one in of)
    assert measured["w1"] == ["sink"] and assumed != measured
    assert of[1].plan.as_json() == of[2].plan.as_json() and measured == again
    written = of[1].plan.as_json()
    assert written["profile"] == PROFILE.as_json() and written["profile_hash"] == PROFILE.hash
    assert "profile" not in of[0].plan.as_json()
    assert [one.plan.predicted.costs for one in of] == ["assumed", "measured", "measured"]
    # 7 ns per item on the busiest worker, plus the cost of the crossing
    assert 1e9 / 9 < of[1].plan.predicted.items_per_s < 1e9 / 7


def test_a_block_that_a_profile_lacks_is_named() -> None:
    it = checked(deployed(chain(2), placement=AUTO))
    lacking = Profile({"source": BlockCost(1.0), "stage": BlockCost(2.0), "sink": BlockCost(1.0)})
    planned = make_plan(it.project, it.graph, it.catalog, machine("two_core"), profile=lacking)
    [said] = [d for d in planned.diagnostics if d.code == "W_PROFILE_BLOCK"]
    assert said.pointer == "/graph/blocks/1" and "`limit`" in said.message and "weir run" in said.hint
    assert planned.plan.predicted.costs == "partly"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.weir.json")), ids=lambda path: path.name)
def test_examples_are_predicted_to_be_no_slower_than_under_an_even_cut(path: Path) -> None:
    """Use the assumed costs, on which `auto` relies without a profile."""
    it = checked(path)
    rates = {}
    for strategy in ("contiguous", "auto"):
        deployment = Deployment("d", "flow", workers=2, placement=Placement(strategy), target="cpp_app")
        rates[strategy] = plan(path, "two_core", deployment).plan.predicted.items_per_s
    assert it.graph and rates["auto"] >= rates["contiguous"]


def test_the_strategy_has_no_map() -> None:
    from weir.model.check import check

    document = deployed(chain(2), placement={**AUTO, "map": {"stage": "w0"}})
    assert [d.code for d in check(json.dumps(document)).diagnostics] == ["E_PLACEMENT_CONFLICT"]
