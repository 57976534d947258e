"""Test what `weir compare` refuses, what it lists first, and how an unmeasured number affects the others."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from comparing_world import edited, no_waiting_for_the_disk, of, runs  # noqa: F401
from stored_runs import CAUSES, COUNTED, EXAMPLES, example
from weir import cli
from weir.model.document import jsontext

PROJECT = json.loads((EXAMPLES / "quickstart.weir.json").read_text())


def other_graph(change: Callable[[dict], object]) -> str:
    graph = json.loads(json.dumps(PROJECT["graph"]))
    change(graph)
    return example("quickstart", graph=graph)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    runs(folder / "a"), runs(folder / "b", 0.9)
    return folder


@pytest.fixture
def sides(made: Path, tmp_path: Path) -> tuple[Path, Path]:
    return tuple(Path(shutil.copytree(made / name, tmp_path / name)) for name in ("a", "b"))


# Project, CPU, machine


def retyped(graph: dict) -> None:
    graph["blocks"][2]["type"] = "add_const"


def bypassed(graph: dict) -> None:
    graph["blocks"][2]["state"] = "bypassed"


def without_gain(graph: dict) -> None:
    del graph["blocks"][2]
    graph["connections"] = [["source", "out", "limit", "in"], ["limit", "out", "stage", "in"],
                            ["stage", "out", "sink", "in"]]


@pytest.mark.parametrize("change, said", [
    (retyped, "block gain (multiply_const) only in A, block gain (add_const) only in B"),
    (bypassed, "gain (multiply_const, bypassed) only in B"),
    (without_gain, "block gain (multiply_const) only in A")], ids=lambda it: getattr(it, "__name__", None))
def test_another_flowgraph_is_refused(change, said, tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a"), runs(tmp_path / "b", 0.5, project=other_graph(change))
    code, one = of(capsys, a, b)
    assert (code, one["verdict"], one["metrics"]) == (4, "not comparable", [])
    assert "different flowgraphs" in one["because"] and "--despite graph" in one["because"]
    assert said in one["because"]


def test_another_flowgraph_is_compared_by_who_says_so(tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a"), runs(tmp_path / "b", 0.5, project=other_graph(without_gain))
    code, one = of(capsys, a, b, "--despite", "graph")
    assert (code, one["verdict"]) == (1, "worse") and "different flowgraphs" in one["headline"][0]
    assert of(capsys, a, b, "--despite", "cpu")[0] == 4


def test_decoration_is_no_difference(tmp_path, capsys) -> None:
    def decorated(graph: dict) -> None:
        graph["blocks"][0]["comment"] = "another one"
        graph["x_theirs"] = 1

    document = json.loads(other_graph(decorated))
    project = jsontext.write({**document, "ui": {}, "description": "another one"})
    code, one = of(capsys, runs(tmp_path / "a"), runs(tmp_path / "b", project=project))
    assert (code, one["same_work"], one["headline"]) == (0, True, [])


@pytest.mark.parametrize("change", [
    lambda graph: graph["blocks"][2]["parameters"].update(constant=3),
    lambda graph: graph["blocks"][3].update(repeat=5)], ids=["a block's parameter", "repeat"])
def test_a_changed_value_in_the_graph_is_reported_and_compared(change, tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a"), runs(tmp_path / "b", 0.9, project=other_graph(change))
    code, one = of(capsys, a, b)
    assert (code, one["verdict"], one["same_work"]) == (1, "worse", False)
    assert one["headline"][0].startswith("A and B did not do the same work: block ")


def test_a_changed_parameter_is_reported_and_compared(sides, capsys) -> None:
    a, b = edited(sides[0], lambda r: r["parameters"].update(stages=4)), sides[1]
    code, one = of(capsys, a, edited(b, lambda r: r["parameters"].update(stages=5)))
    assert (code, one["headline"]) == (1, ["A and B did not do the same work: parameter stages 4 → 5"])


def test_another_cpu_is_refused_unless_it_is_what_is_compared(sides, capsys) -> None:
    a, b = sides[0], edited(sides[1], lambda r: r["environment"].update(cpu="Another CPU"))
    code, one = of(capsys, a, b)
    assert (code, one["verdict"]) == (4, "not comparable")
    assert one["because"].startswith("measured on different CPUs: A <CPU> & more and Another CPU")
    code, one = of(capsys, a, b, "--despite", "cpu")
    assert (code, one["verdict"]) == (1, "worse") and "different CPUs" in one["headline"][0]


def test_two_machines_on_one_side_are_not_of_one_kind(sides, capsys) -> None:
    """Vary the CPUs, or another property of two machines with equal name and CPU."""
    b = edited(sides[1], lambda machine: machine.update(page_bytes=65536), "machine.json", only=0)
    code, one = of(capsys, sides[0], b)
    assert code == 4 and "2 machines" in one["because"] and "CPUs" not in one["because"]
    code, one = of(capsys, sides[0], edited(b, lambda r: r["environment"].update(cpu="Another CPU"), only=3))
    assert code == 4 and "2 CPUs" in one["because"]


def test_another_machine_is_reported_and_compared(sides, capsys) -> None:
    a, b = sides[0], edited(sides[1], lambda run: run["host"].update(name="other"), "run.json")
    code, one = of(capsys, a, b)
    assert (code, one["headline"]) == (1, ["the machines differ: name bench → other"])
    edited(b, lambda r: r["environment"].update(cpus=8, governor="powersave", turbo=False))
    assert of(capsys, a, b)[1]["headline"] == ["the machines differ: name bench → other, cpus 4 → 8 and 2 more"]


def test_two_versions_of_weir_are_what_is_compared(sides, capsys) -> None:
    b = edited(sides[1], lambda r: (r.update(binary_hash="1" * 64, weir_version="9.9"),
                                    r["environment"].update(git_revision="abc")))
    code, one = of(capsys, sides[0], b)
    assert (code, one["headline"]) == (1, []) and {d["part"] for d in one["differences"]} >= {"binary"}


# Equal work


def granted(factor: float) -> Callable[[dict], object]:
    """Set the granted buffers, which decide if known."""
    return lambda r: r["granted"].update(buffers={name: int(n * factor) for name, n in r["granted"]["buffers"].items()})


def calls(count: int) -> Callable[[dict], object]:
    return lambda r: [block.update(calls=count) for block in r["blocks"]]


@pytest.mark.parametrize("change, file, said", [
    (granted(0.5), "results.json", "buffer bytes differ by more than 10 %: "),
    (lambda plan: plan["blocks"][0].update(chunk_items=7), "plan.json",
     "chunk items differ by more than 10 %: source "),
    (calls(12), "results.json", "items per call differ by more than 10 %: source 100 → 83.3333, "),
    (lambda plan: plan["streams"][1].update(over="source.out"), "plan.json",
     "only one side runs these blocks in place: limit in B only"),
    (lambda r: r["environment"].update(flags="-O2"), "results.json", "the builds differ: flags -O3 → -O2"),
    (lambda r: r["environment"].update(compiler="g++ 14"), "results.json",
     "the builds differ: compiler g++ 12 → g++ 14"),
    (lambda r: r["trace"].update(backend="off"), "results.json", "the instrumentation differs: trace memory → off"),
    (lambda r: r.update(metrics="profile"), "results.json", "the instrumentation differs: metrics "),
    (lambda r: r.update(causes=CAUSES), "results.json", "the instrumentation differs: causes off → on"),
    (lambda r: r.update(cpu_counters=COUNTED), "results.json", "the instrumentation differs: cpu counters off → on"),
], ids=["buffers", "chunk", "items per call", "in place", "flags", "compiler", "trace", "metrics", "causes",
        "cpu counters"])
def test_what_is_not_held_equal_is_reported_first(change, file, said, sides, capsys) -> None:
    code, one = of(capsys, sides[0], edited(sides[1], change, file))
    assert code == 1 and len(one["headline"]) == 1 and one["headline"][0].startswith(said)


def test_ten_percent_is_equal(sides, capsys) -> None:
    edited(sides[0], calls(100)), edited(sides[1], calls(108))
    assert of(capsys, sides[0], edited(sides[1], granted(1.09)))[1]["headline"] == []


def test_the_headline_stands_above_the_numbers_everywhere(sides, tmp_path, capsys) -> None:
    edited(sides[1], lambda run: run["host"].update(name="<other>"), "run.json")
    words = ["compare", str(sides[0]), str(sides[1])]
    assert cli.main(words) == 1
    text = capsys.readouterr().out
    assert text.index("! the machines differ: name bench → <other>") < text.index("throughput_items_per_s")
    assert cli.main([*words, "--markdown"]) == 1
    assert "- **flow**: the machines differ: name bench → &lt;other>" in capsys.readouterr().out
    page = tmp_path / "page.html"
    assert cli.main(["report", *words[1:], "--compare", "-o", str(page)]) == 0
    html = page.read_text()
    assert html.index("The machines differ: name bench → &lt;other&gt;") < html.index("throughput_items_per_s")


# Digests


def digest(text: str | None) -> Callable[[dict], object]:
    return lambda r: r["sinks"][0].update(digest=text)


def flags(results: dict) -> None:
    results["environment"]["flags"] = "-O2"


def test_other_digests_of_equal_work_are_refused(sides, capsys) -> None:
    b = edited(sides[1], digest("f" * 16), only=5)
    code, one = of(capsys, sides[0], b)
    assert (code, one["verdict"]) == (4, "not comparable")
    assert one["because"].startswith("E_DIGEST: sink has digest 0123456789abcdef in A (2026")
    assert "and ffffffffffffffff in B (2026" in one["because"]
    assert of(capsys, sides[0], b, "--despite", "graph", "--despite", "cpu")[0] == 4


@pytest.mark.parametrize("change", [
    lambda r: r.update(seed=7), lambda r: r["parameters"].update(stages=7)], ids=["seed", "parameter"])
def test_digests_of_other_work_say_nothing(change, sides, capsys) -> None:
    assert of(capsys, sides[0], edited(edited(sides[1], digest("f" * 16)), change))[0] == 1


def test_a_digest_on_one_side_alone_is_refused_and_none_on_both_is_reported(sides, capsys) -> None:
    b = edited(sides[1], digest(None))
    code, one = of(capsys, sides[0], b)
    said = "A has a digest but B has none, so nothing shows that both computed the same"
    assert (code, one["verdict"], one["because"]) == (
        4, "not comparable", f"{said}; --despite digest compares them anyway")
    assert of(capsys, b, sides[0])[1]["because"].startswith("B has a digest but A has none")
    code, one = of(capsys, sides[0], b, "--despite", "digest")
    assert (code, one["headline"]) == (1, [said])
    code, one = of(capsys, edited(sides[0], digest(None)), b)
    assert (code, one["headline"]) == (1, ["the outputs were not compared: neither side has a digest"])


def test_a_parameter_of_the_scheduler_is_no_other_work(sides, capsys) -> None:
    b = edited(sides[1], lambda r: r["parameters"].update({"scheduler.passes": 9}))
    code, one = of(capsys, sides[0], b)
    assert (code, one["same_work"], one["headline"]) == (1, True, [])
    assert of(capsys, sides[0], edited(b, digest("f" * 16)))[1]["because"].startswith("E_DIGEST: ")


def test_a_project_that_was_changed_after_its_run_is_reported(sides, capsys) -> None:
    b = edited(edited(sides[1], lambda project: project["graph"]["blocks"].pop(), "project.json"), digest("f" * 16))
    code, one = of(capsys, sides[0], b)
    assert code == 1 and any(line.startswith("project.json of B is missing or changed") for line in one["headline"])
    for path in b.glob("*/project.json"):
        path.write_text("[")
    assert of(capsys, sides[0], b)[0] == 1


def test_exact_graphs_have_one_digest_under_all_flags(tmp_path, capsys) -> None:
    project = EXAMPLES / "null_rand_latency.weir.json"
    a, b = runs(tmp_path / "a", project=project), edited(runs(tmp_path / "b", project=project), digest("f" * 16))
    code, one = of(capsys, a, edited(b, flags))
    assert code == 4 and one["because"].startswith("E_DIGEST: ")


def test_floats_that_round_may_differ_under_other_flags(tmp_path, capsys) -> None:
    project = EXAMPLES / "fm_receiver.weir.json"
    a, b = runs(tmp_path / "a", project=project), edited(runs(tmp_path / "b", 0.9, project=project), digest("f" * 16))
    assert of(capsys, a, b)[0] == 4
    code, one = of(capsys, a, edited(b, flags))
    assert code == 1 and "they need not be equal: different flags" in one["headline"][0]


# Unmeasured numbers


def spinning(results: dict) -> None:
    results["reasons"].append({"code": "W_OVERSUBSCRIBED", "message": "5 workers share 2 CPUs"})


def test_workers_that_spin_on_too_few_cpus_are_reported_first_and_once_a_side(tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a"), runs(tmp_path / "b", 0.9)
    _, one = of(capsys, a, edited(b, spinning))
    assert [line for line in one["headline"] if "CPUs" in line] == ["B: 5 workers share 2 CPUs"]


def test_a_verdict_says_of_what_it_is(tmp_path, capsys) -> None:
    def slower(results: dict) -> None:
        for key in ("mean_ns", "p50_ns", "p95_ns", "p99_ns", "p999_ns"):
            if results["latency"].get(key) is not None:
                results["latency"][key] *= 100

    a, b = runs(tmp_path / "a"), runs(tmp_path / "b", 1.1)
    _, one = of(capsys, a, edited(b, slower))
    assert (one["verdict"], one["says"]) == ("better", "throughput better, latency worse")


@pytest.mark.parametrize("factors, said", [
    ({"p99_ns": 2, "p50_ns": 0.5}, "p99 latency worse, p50 latency better"),
    ({"p99_ns": 2, "p50_ns": 2}, "latency worse"),
    ({"p50_ns": 0.5}, "no difference shown in p99 latency, p50 latency better"), ({"p99_ns": 2}, "latency worse")])
def test_a_metric_that_differs_from_the_gate_is_reported_beside_it(factors, said, tmp_path, capsys) -> None:
    def change(results: dict) -> None:
        for key, factor in factors.items():
            results["latency"][key] = round(results["latency"][key] * factor)

    a, b = (runs(tmp_path / name, paced=True, changes={"binary_hash": name * 64}) for name in "ab")
    _, one = of(capsys, a, edited(b, change))
    assert one["says"] == said


def no_window(results: dict) -> None:
    results.update(throughput_items_per_s=None, window_s=None)
    results["reasons"].append({"code": "W_NO_WINDOW", "message": "the run ended too early"})


def test_a_run_without_a_window_is_left_out_and_reported(tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a", count=9), runs(tmp_path / "b", 0.9, count=9)
    code, one = of(capsys, a, edited(b, no_window, only=4))
    assert (code, one["rounds"]) == (1, 8)
    why = [(n["side"], n["why"]) for n in one["left_out"]]
    assert why == [("A", ["the other side of its round has no throughput_items_per_s"]),
                   ("B", ["it has no throughput_items_per_s: the run ended too early"])]
    assert {m["id"]: m["rounds"] for m in one["metrics"]}["p50_ns"] == 9


@pytest.mark.parametrize("set_id", [1, 2], ids=["interleaved", "one after the other"])
def test_one_run_without_a_window_does_not_void_seven_good_ones(set_id, tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a", minute=4), runs(tmp_path / "b", 0.9, set_id=set_id, minute=2 + 2 * set_id)
    code, one = of(capsys, a, edited(b, no_window, only=0))
    gate = one["metrics"][0]
    assert (code, one["rounds"], one["because"]) == (4, 7, "7 runs of each side count, but a verdict needs 8")
    assert gate["ratio"] == pytest.approx(0.9, rel=0.01) and len(one["left_out"]) == 3 - set_id


def percentile(name: str) -> Callable[[dict], object]:
    return lambda r: r["latency"].update({name: None})


def test_paced_runs_stay_judged_by_their_latency_where_one_has_too_few(tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a", count=9, paced=True), runs(tmp_path / "b", count=9, paced=True)
    code, one = of(capsys, a, edited(b, percentile("p99_ns"), only=2))
    assert (one["metrics"][0]["id"], one["rounds"]) == ("p99_ns", 8)
    code, one = of(capsys, a, edited(b, percentile("p99_ns")))
    assert (code, one["because"]) == (4, "p99_ns was not measured in B")


def test_a_metric_that_a_side_lacks_is_shown_as_missing(sides, capsys) -> None:
    edited(edited(sides[0], percentile("p95_ns")), percentile("p99_ns"), only=1)
    code, one = of(capsys, *sides)
    found = {m["id"]: m for m in one["metrics"]}
    lacking = found["p95_ns"]
    assert (lacking["a"], lacking["ratio"], lacking["verdict"]) == (None, None, "not measured") and lacking["b"] > 0
    assert (code, found["p99_ns"]["rounds"], found["p99_ns"]["verdict"]) == (1, 7, "not enough data")
    assert cli.main(["compare", *map(str, sides)]) == 1
    lines = capsys.readouterr().out.splitlines()
    [row] = [line.split() for line in lines if "p95_ns" in line]
    assert row[1] == "–" and row[-5:] == ["–", "–", "–", "not", "measured"]
    assert "  p99_ns: 7 of 8 rounds have it on both sides" in lines


def test_a_percentile_that_no_run_has_is_listed_and_one_without_a_trace_is_not(sides, capsys) -> None:
    for side in sides:
        edited(side, percentile("p999_ns"))
    assert [m["id"] for m in of(capsys, *sides)[1]["metrics"]][-1] == "p999_ns"
    for side in sides:
        edited(side, lambda r: r.update(latency=None))
    assert [m["id"] for m in of(capsys, *sides)[1]["metrics"]] == ["throughput_items_per_s"]


def test_a_ratio_of_short_windows_is_marked(sides, capsys) -> None:
    edited(sides[0], lambda r: r.update(window_s=0.2), only=1)
    edited(sides[1], lambda r: r.update(window_s=0.19), only=1)
    gate = of(capsys, *sides)[1]["metrics"][0]
    assert gate["short_windows"] == 1
    assert cli.main(["compare", *map(str, sides)]) == 1
    text = capsys.readouterr().out
    assert " % *  " in text and "* 1 run was measured for less than 0.2 s" in text
    assert cli.main(["compare", *map(str, sides), "--markdown"]) == 1
    assert " % \\* |" in capsys.readouterr().out
