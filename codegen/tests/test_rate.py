"""Test the loads that `weir rate` offers and its answer about their trials, on a simulated machine."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from conftest import CODEGEN, keeps_to
from planning import EXAMPLES, checked, plan, project
from weir import cli
from weir.diagnostics import WeirError
from weir.engine.measuring.latency import Boundaries, match
from weir.engine.measuring.runnable import Finished
from weir.lab.rating import trials as trials_module
from weir.lab.rating.answer import RateAnswer, curve
from weir.lab.rating.offering import Added, flat_out, shares, with_pace
from weir.lab.rating.search import Goal, RateBounds
from weir.lab.rating.trials import Measured, Trials
from weir.model.document import jsontext


def source(name: str, kind: str = "counter_source", **parameters) -> dict:
    return {"id": name, "type": kind, "parameters": {"item_type": "f32", **parameters}}


PACED = {"id": "pace", "type": "pace"}


def test_latency_counts_from_what_paces_and_not_from_the_source():
    document = project([source("source"), PACED, {"id": "sink", "type": "null_sink"}],
                       ["source.out > pace.in", "pace.out > sink.in"])
    planned = plan(document).plan
    assert [(p.source, p.sink) for p in planned.pairs] == [("pace", "sink")]
    assert {b.instance for b in planned.blocks if b.probe_granularity} == {"pace", "sink"}
    assert planned.metered == ("source",) and planned.hops == ()


SINK, AGAIN = {"id": "sink", "type": "null_sink"}, {"id": "again", "type": "pace"}


@pytest.mark.parametrize("blocks, edges, pairs", [
    # A throttle behind a paced source, unseen by others, is an ordinary block and no schedule.
    ([PACED, AGAIN, SINK], ["source.out > pace.in", "pace.out > again.in", "again.out > sink.in"], {("again", "sink")}),
    ([{"id": "valve", "type": "throttle"}, SINK], ["source.out > valve.in", "valve.out > sink.in"],
     {("source", "sink")}),
    ([PACED, AGAIN, *({"id": name, "type": "null_sink"} for name in "abc")],
     ["source.out > pace.in", "source.out > a.in", "pace.out > again.in", "pace.out > b.in", "again.out > c.in"],
     {("source", "a"), ("pace", "b"), ("again", "c")})], ids=["paced twice", "throttled", "seen past what paces"])
def test_who_is_seen_past_what_paces_keeps_its_probe(blocks, edges, pairs):
    planned = plan(project([source("source"), *blocks], edges)).plan
    assert {(p.source, p.sink) for p in planned.pairs} == pairs


def test_a_probe_before_what_paces_has_no_hop_to_it():
    blocks = [source("source"), {"id": "before", "type": "copy", "probe": True}, PACED,
              {"id": "behind", "type": "copy", "probe": True}, {"id": "sink", "type": "null_sink"}]
    planned = plan(project(blocks, ["source.out > before.in", "before.out > pace.in", "pace.out > behind.in",
                                    "behind.out > sink.in"])).plan
    assert [(h.src, h.dst) for h in planned.hops] == [("pace", "behind"), ("behind", "sink")]


def test_events_and_chunks_go_by_the_rate_that_is_kept():
    pace = {"id": "pace", "type": "pace", "parameters": {"rate": 48000, "latency_budget": 0.001}}
    planned = plan(project([source("source"), pace, {"id": "sink", "type": "null_sink"}],
                           ["source.out > pace.in", "pace.out > sink.in"])).plan
    of = {b.instance: b for b in planned.blocks}
    assert of["pace"].chunk_items == 48 and planned.trace.planned_granularity < 32
    assert planned.predicted is not None and planned.predicted.items_per_s == 48000


# Pacing

def test_each_source_that_runs_flat_out_is_paced_and_others_are_not():
    blocks = [source("fast"), source("radio", "paced_source"), {"id": "sum", "type": "add"},
              {"id": "other", "type": "null_sink"}, {"id": "sink", "type": "null_sink"}]
    document = project(blocks,
                       ["fast.out > sum.in0", "fast.out > other.in", "radio.out > sum.in1", "sum.out > sink.in"])
    assert flat_out(checked(document).graph) == ["fast"]
    made, added = with_pace(document, ["fast"])
    assert added == [Added("pace_fast", "fast", "out")]
    assert made["graph"]["connections"] == [
        ["fast", "out", "pace_fast", "in"], ["pace_fast", "out", "sum", "in0"], ["pace_fast", "out", "other", "in"],
        ["radio", "out", "sum", "in1"], ["sum", "out", "sink", "in"]]
    found = checked(made)
    assert flat_out(found.graph) == [] and set(shares(found.graph, found.rates)) == {"pace_fast", "radio"}
    assert "pace_fast" not in jsontext.write(document)  # the given document is unchanged


def test_a_name_that_is_taken_is_left_alone():
    blocks = [source("a"), {"id": "pace_a", "type": "null_sink"}]
    _, [added] = with_pace(project(blocks, ["a.out > pace_a.in"]), ["a"])
    assert added.block == "pace_a_2"


def test_deployments_say_of_what_is_added_what_they_said_of_the_source():
    blocks = [source("a"), source("ab"), {"id": "sink", "type": "null_sink"}, {"id": "end", "type": "null_sink"}]
    document = project(blocks, ["a.out > sink.in", "ab.out > end.in"], deployments=[
        {"name": "d", "scheduler": "flow", "workers": 2,
         "placement": {"strategy": "explicit", "map": {"a": "w0", "ab": "w1", "sink": "w0", "end": "w1"}},
         "buffers": {"a.out->sink.in": {"items": 1000}, "ab.out->end.in": {"items": 2000}}}])
    made, _ = with_pace(document, ["a"])
    [deployment] = made["deployments"]
    assert deployment["placement"]["map"] == {"a": "w0", "ab": "w1", "sink": "w0", "end": "w1", "pace_a": "w0"}
    assert deployment["buffers"] == {"pace_a.out->sink.in": {"items": 1000}, "ab.out->end.in": {"items": 2000}}
    assert plan(made).plan.owner_of["pace_a"] == "w0"


def test_shares_keep_a_join_in_step_and_offer_parts_alike():
    blocks = [source("slow"), source("fast"), {"id": "up", "type": "repeat", "parameters": {"n": 4}},
              {"id": "sum", "type": "add"}, {"id": "sink", "type": "null_sink"}, source("alone"),
              {"id": "end", "type": "null_sink"}]
    made, _ = with_pace(project(blocks,
                                ["slow.out > up.in", "up.out > sum.in0", "fast.out > sum.in1", "sum.out > sink.in",
                                         "alone.out > end.in"]), ["slow", "fast", "alone"])
    found = checked(made)
    of = shares(found.graph, found.rates)
    assert of["pace_fast"] == of["pace_alone"] == 4 * of["pace_slow"] and sum(of.values()) == pytest.approx(1)


def test_a_share_is_that_of_each_pipe():
    document = json.loads((EXAMPLES / "null_rand_latency.weir.json").read_text())
    # Not the deployments by hand, which take no paced sources.
    flow = [it for it in document["deployments"] if it["name"] == "flow"]
    made, _ = with_pace({**document, "deployments": flow, "sweeps": []}, ["source"])
    found = checked(made)
    assert shares(found.graph, found.rates) == {"pace_source": pytest.approx(1 / 6)}


# Trials

GOAL = Goal(0.01, 1.0, 2.0, 0.5, 0.05)


class Queue:
    """Simulated runs: a queue that serves `limit` items per second, observed every 1,000 items."""

    def __init__(self, limit: float, statuses: list[str] | None = None, foreign: float = 0.0):
        self.limit, self.statuses, self.foreign, self.has = limit, list(statuses or ()), foreign, 10**15
        self.asked: list = []

    def __call__(self, runnable, options, slot, listener, verified, index):
        self.asked.append(options)
        rate = float(dict(param.split("=") for param in options.params)["pace.rate"])
        status = self.statuses.pop(0) if self.statuses else "ok"
        k = np.arange(1, options.items // 1000 + 1)
        due, out = k * 1000 / rate, k * 1000 / min(rate, self.limit)
        listener.samples([match("pace", "sink", None, Boundaries.of(k, (due * 1e9).astype(int) + 1),
                                Boundaries.of(k, (out * 1e9).astype(int) + 101), len(k))])
        results = {"status": status, "run_id": "r", "elapsed_s": options.items / min(rate, self.limit),
                   "throughput_items_per_s": min(rate, self.limit), "reasons": [{"code": "E_X", "message": "it broke"}],
                   "load": {"delivered_items_per_s": min(rate, self.limit)},
                   "environment": {"other_programs": self.foreign, "steal": 0.0},
                   "sinks": [{"id": "sink", "items": min(options.items, self.has)}]}
        return Finished(None, results, {}), status == "interrupted"


@pytest.fixture
def bench(monkeypatch, tmp_path):
    def made(queue: Queue, latency_s: float = 0.01, **shares_of) -> Trials:
        monkeypatch.setattr(trials_module, "run_in_turn", queue)
        listener = trials_module.Listener(lambda text: None)
        return Trials(None, shares_of or {"pace": 1.0}, {"sink": 1.0}, 1.0, 1e-3, latency_s, tmp_path, None, (),
                      listener)
    return made


def test_what_comes_later_than_allowed_is_lost(bench):
    trial = bench(Queue(1e6)).trial(1.1e6, 1.0)
    # Item n is late by n (1/limit - 1/load): 10 ms at the 110,000th of 1,210,000.
    assert trial.loss_ratio == pytest.approx(1 - 110 / 1210, abs=0.002) and trial.latencies == 1210
    assert trial.late == round(trial.loss_ratio * 1210) and trial.p99_ns == pytest.approx(109e6, rel=0.05)
    assert bench(Queue(1e6)).trial(0.99e6, 1.0).loss_ratio == 0


def test_a_trial_asks_for_its_items_its_warm_up_and_its_time(bench):
    queue = Queue(1e6)
    bench(queue, other=0.25, pace=0.5).trial(1e6, 2.0)
    [options] = queue.asked
    assert set(options.params) == {"other.rate=250000", "pace.rate=500000"} and options.items == 1_050_000
    assert options.warmup_items == 100_000 and options.timeout_s == 70


def test_the_pilot_is_offered_more_until_it_takes_long_enough(bench):
    queue = Queue(1e8)
    assert bench(queue).pilot() == 1e8
    assert [options.items for options in queue.asked] == [1_000_000, 8_000_000, 64_000_000]


def test_a_run_that_gives_no_result_is_made_again_and_told_at_last(bench):
    queue = Queue(1e6, ["invalid", "failed", "ok"])
    assert bench(queue).trial(1e5, 1.0).loss_ratio == 0 and len(queue.asked) == 3
    with pytest.raises(WeirError, match="failed: it broke") as caught:
        bench(Queue(1e6, ["failed"] * 3)).trial(1e5, 1.0)
    assert caught.value.diagnostics[0].code == "E_RATE_RUN"


def test_a_trial_is_longer_where_boundaries_are_far_between(bench):
    queue = Queue(1e6)
    trial = bench(queue).trial(1000, 0.5)  # a boundary every 1,000 items
    assert trial.duration_s == 2.0 and trial.latencies == 2 and queue.asked[0].items == 2100


def test_a_trial_without_latencies_is_reported(bench):
    with pytest.raises(WeirError, match="records no latency"):
        bench(Queue(1e6)).trial(10, 1.0)


def test_a_trial_that_is_through_its_warm_up_when_all_was_due_long_ago_is_late_as_a_whole(bench):
    class Swamped(Queue):
        def __call__(self, runnable, options, slot, listener, *more):
            made = super().__call__(runnable, options, slot, listener, *more)
            listener.samples([])
            return made

    trial = bench(Swamped(1e6)).trial(8e6, 0.25)
    assert trial.loss_ratio == 1 and trial.latencies == trial.late == 0 and trial.p99_ns is None


def test_a_source_that_has_less_to_give_than_a_trial_takes_is_reported(bench):
    queue = Queue(1e6)
    queue.has = 300_000
    with pytest.raises(WeirError, match="ends before the trial: .* 1100000 items, .* reached sink"):
        bench(queue).trial(1e6, 1.0)
    with pytest.raises(WeirError, match="ends before the trial"):
        bench(queue).pilot()


def test_a_pilot_without_a_window_is_offered_more(bench, monkeypatch):
    queue = Queue(1e6)
    short = iter([None, 1e6])
    made = queue.__call__

    def run(*words):
        found, interrupted = made(*words)
        found.results["throughput_items_per_s"] = next(short)
        return found, interrupted

    rate = bench(queue)
    monkeypatch.setattr(trials_module, "run_in_turn", run)
    assert rate.pilot() == 1e6 and len(queue.asked) == 2


def test_an_interrupt_ends_it(bench):
    with pytest.raises(KeyboardInterrupt):
        bench(Queue(1e6, ["interrupted"])).trial(1e5, 1.0)


@pytest.mark.parametrize("limit", [3e5, 1e6, 2.5e6])
def test_the_limit_of_a_queue_is_found(bench, limit):
    from weir.lab.rating.search import Search

    bank = bench(Queue(limit))
    found = Search(bank.trial, GOAL, 2e7, 1e4, 5e5).run()
    # If the load is too high by a share s, items are late by up to s times the trial: 10 ms are 1 %.
    assert found.lower <= 1.02 * limit and found.upper >= limit and found.upper - found.lower <= 0.05 * found.upper
    assert not found.irregular and not found.out_of_time


# Messages

def rated(trials: list[Measured], lower: float | None, upper: float | None, **more) -> RateAnswer:
    found = RateBounds(lower, upper, trials, more.pop("irregular", False), more.pop("out_of_time", False))
    return replace(RateAnswer("p", "flow", GOAL, 0.01, 5e6, found, [], {"pace": 1.0}, [Added("pace", "source", "out")],
                              "memory", 12.0, False), **more)


def tried(load: float, loss: float = 0.0, disturbed: bool = False) -> Measured:
    return Measured(load, 1.0, loss, disturbed, 1000, int(1000 * loss), 1000, 2000, load, 0.3 if disturbed else 0.0,
                    0.0,
                    "r")


def test_the_answer_names_its_bounds_its_goal_and_what_it_added():
    text = rated([tried(1e6), tried(1e6), tried(1.04e6, 0.5), tried(1.04e6, 0.5)], 1e6, 1.04e6).text()
    assert "1.00 Mitems/s is sustained, 1.04 Mitems/s is not (relevant bounds, not an interval)\n" in text
    assert ("at most 1 % of items later than 10.0 ms; 2 s of trials of 1 s for each load, 50 % of them may lose more; "
            "bounds within 5 %") in text
    assert "pace after source.out" in text and "disturbed 2" not in text
    assert [line.split()[-2:] for line in text.splitlines()[-2:]] == [["lower", "bound"], ["upper", "bound"]]


def test_an_upper_bound_that_others_may_have_made_is_said_to_be():
    trials = [tried(1e6), tried(1e6), tried(1.04e6, 0.5, True), tried(1.04e6, 0.5, True)]
    assert ("including all late trials: other programs, not the flowgraph, may be the cause"
            in rated(trials, 1e6, 1.04e6).text())
    trials[2] = tried(1.04e6, 0.5)
    text = rated(trials, 1e6, 1.04e6).text()
    assert "other programs disturbed 1 of its 2 trials" in text and "the cause" not in text


@pytest.mark.parametrize("lower, upper, more, said", [
    (None, 1e6, {"irregular": True}, "irregular: no load is sustained; 1.00 Mitems/s is already too high"),
    (5e5, 1e6, {"irregular": True}, "irregular: 1.00 Mitems/s is too high, but some higher loads are sustained"),
    (1e6, None, {}, "at least 1.00 Mitems/s: no tried load was too high"),
    (None, None, {"out_of_time": True}, "unknown: no trial was conclusive"),
    (1e6, 2e6, {"out_of_time": True}, "the time was too short for closer bounds"),
    (1e6, 2e6, {"interrupted": True}, "the search was interrupted before closer bounds")])
def test_what_is_not_a_whole_answer_says_so(lower, upper, more, said):
    answer = rated([tried(1e6)], lower, upper, **more)
    assert said in answer.text() and answer.ok == (lower is not None and "irregular" not in more)


def test_the_answer_keeps_to_its_schema():
    answer = rated([tried(1e6), tried(2e6, 0.5, True)], 1e6, 2e6, beside=[tried(5e5)])
    keeps_to("rate", json.loads(json.dumps(answer.as_json())))


def test_the_curve_has_medians_by_load():
    [low, high] = curve([tried(2.0, 0.1), tried(1.0), tried(2.0, 0.3, True), tried(2.0, 0.2)])
    assert ((low.load_items_per_s, low.trials, low.loss_ratio) == (1.0, 1, 0)
            and (high.trials, high.disturbed, high.loss_ratio) == (3, 1, 0.2))


@pytest.mark.parametrize("words, said", [
    (["--loss", "60%"], "not a share such as"), (["--latency", "0"], "not a time such as 10ms"),
    (["--trial", "5ms"], "of more than 10 ms"), (["--width", "0"], "not a share"), (["--exceed", "1"], "not a share"),
    (["--param", "nobody.rate=1"], "the program has no such parameter")])
def test_what_cannot_be_asked_for_is_reported(words, said, capsys):
    try:
        code = cli.main(["rate", str(EXAMPLES / "quickstart.weir.json"), *words])
    except SystemExit as ended:
        code = ended.code
    assert code == 2 and said in capsys.readouterr().err


def test_a_program_that_records_nothing_is_refused_before_it_is_built(capsys, tmp_path, monkeypatch):
    from weir.engine.pipeline import Pipeline

    document = project([source("source"), {"id": "sink", "type": "null_sink"}], ["source.out > sink.in"],
                       deployments=[{"name": "numpy", "scheduler": "in_order", "target": "numpy_app"}])
    path = tmp_path / "p.weir.json"
    path.write_text(json.dumps(document))
    monkeypatch.setattr(Pipeline, "build", lambda *_: pytest.fail("it was built"))
    assert cli.main(["rate", str(path), *(word for kind in ("target", "scheduler") for word in
                                          (f"--{kind}-path", str(CODEGEN / "tests" / f"{kind}s")))]) == 2
    assert "programs of target `numpy_app` cannot record events" in capsys.readouterr().err
