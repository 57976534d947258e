"""Test hops, costs and slowed machines in reports and summaries, and the runs that these leave out."""

from __future__ import annotations

import base64
import csv
import json
import re

import numpy as np
import pytest
from stored_runs import COUNTED, ENERGY, store
from weir.engine.measuring.latency import Boundaries, HopSamples, latency_fields, match
from weir.engine.measuring.run_directory import load_run
from weir.engine.measuring.tables import write_table
from weir.read.reporting.report import make_report, series_of
from weir.read.reporting.run_figures import MOST_MARKS, MOST_ROWS, call_sizes, fill_over_time
from weir.read.reporting.sections import sections
from weir.read.reporting.summary import Summary

HOP = HopSamples("source", "stage[2]", None, np.arange(1, 301, dtype=np.uint64), np.array([1000, 2000, 9000] * 100),
                 np.array([100, 200, 300] * 100), 1)
PAIR = match("source", "sink", None, Boundaries.of([1], [1]), Boundaries.of([1], [2]), 1)
FIELDS = latency_fields([PAIR], [HOP])["hops"]


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def speed_check(before: float, after: float | None) -> dict:
    return {"cpu": 0, "seconds": 0.05, "before_items_per_s": before, "after_items_per_s": after}


def test_hops_are_in_the_page_the_summary_and_a_table(tmp_path):
    run = load_run(store(tmp_path, changes={"hops": FIELDS}))
    assert "Latency by hop" in make_report([run])
    page, summary = text_of(make_report([run])), Summary().run(run.results, run.path)
    assert "source stage[2] 4.00 µs 2.00 µs 9.00 µs – 200 ns 200 ns 300 ns – 300 1" in page
    assert "source → stage[2]  waiting 2.00 µs p95 9.00 µs  work 200 ns p95 300 ns" in summary
    write_table(tmp_path / "hops.csv", "hop", FIELDS)
    with open(tmp_path / "hops.csv", newline="") as file:
        row, = csv.DictReader(file)
    assert (row["from"], row["count"], row["lost"], row["waiting_mean_ns"]) == ("source", "300", "1", "4000.0")
    assert (row["waiting_p50_ns"], row["work_max_ns"], row["pipe"]) == ("2000", "300", "")
    assert row["waiting_p99_ns"] == ""  # fewer than 1,000 boundaries


def test_percentiles_without_enough_samples_are_shown_as_missing(tmp_path):
    run = load_run(store(tmp_path, latencies=range(1000, 1150)))
    assert [run.results["latency"][f"{p}_ns"] for p in ("p5", "p50", "p95")] == [None, 1074, None]
    summary = Summary().run(run.results, run.path)
    assert "p5 –  p50 1.07 µs  p95 –  p99 –  max 1.15 µs" in summary
    assert "1.07 µs – 1.07 µs – – – 1.15 µs 150 0" in text_of(make_report([run]))
    few = load_run(store(tmp_path, latencies=[1000, 2000, 3000], seed=1))
    assert "2.00 µs – – – – – 3.00 µs 3 0" in text_of(make_report([few]))


def test_what_the_cpu_counted_and_the_machine_took_is_on_the_page_where_it_is_known(tmp_path):
    plain = load_run(store(tmp_path / "plain"))
    for name in ("CPU counters", "Energy"):
        assert f"<summary>{name}</summary>" not in make_report([plain])
    thread = plain.results["threads"][0]
    half = {**COUNTED, "cycles": 1_000_000_000}
    threads = [{**thread, "name": "w0", "cpu_counters": half}, {**thread, "name": "w1", "cpu_counters": COUNTED}]
    page = text_of(make_report([load_run(store(tmp_path / "counted", changes={
        "cpu_counters": COUNTED, "threads": threads, "energy": ENERGY}))])).replace("\u202f", " ")
    assert "of each thread, without what the kernel did for it; events took turns, and what was counted for 50 % " \
           "of the time at least is scaled up" in page
    assert "Thread Cycles Instructions Cache references Cache misses Branch misses Page faults w0 1 000 000 000" in page
    assert "all 3 000 000 000 1 500 000 000 7 000 500 20 3 " in page
    assert "in the 2.00 s of the run: 30.0 J for all packages, 100 Mitems/J. Zone Energy Mean power package-0 30.0 J " \
           "15.0 W package-0/dram 4.00 J 2.00 W" in page and "broken" not in page


def test_a_machine_that_tells_nothing_has_no_rows_of_it(tmp_path):
    nothing = {name: value if name in ("counted", "user_only") else None for name, value in COUNTED.items()}
    page = make_report([load_run(store(tmp_path, changes={
        "cpu_counters": nothing, "energy": {**ENERGY, "joules": None, "zones": [], "why_not": "there is none"}}))])
    assert "<summary>CPU counters" not in page and "<summary>Energy" not in page


LOAD = {"offered_items_per_s": 1e6, "delivered_items_per_s": 4e5, "kept_up": False}


def test_whether_a_run_kept_up_is_in_its_summary_the_table_and_the_page(tmp_path):
    behind = load_run(store(tmp_path, changes={"load": LOAD, "offered_items_per_s": 1e6}))
    kept = load_run(store(tmp_path, deployment="single_thread", seed=1, paced=False))
    summary = Summary()
    said = summary.run(behind.results, behind.path)
    assert "offered 1.00 Mitems/s, delivered 400 kitems/s: did not keep up" in said
    assert "offered" not in summary.run(kept.results, kept.path)
    table = summary.comparison([behind.results, kept.results])
    header, *rows = table.splitlines()
    assert "load" in header and "latency p50" in header
    assert "behind" in rows[0] and "flat out" in rows[1]
    page = text_of(make_report([behind, kept]))
    assert "behind with 1.00 Mitems/s offered" in page and "flat out" in page


def test_a_run_whose_rate_a_throttle_held_did_not_run_flat_out(tmp_path):
    held = {"code": "N_THROTTLED", "message": "`slow` holds the rate"}
    free, slow = (load_run(store(tmp_path, deployment=name, seed=seed, paced=False, changes={"reasons": reasons}))
                  for seed, (name, reasons) in enumerate({"flow": [], "single_thread": [held]}.items()))
    header, *rows = Summary().comparison([free.results, slow.results]).splitlines()
    assert "flat out" in rows[0] and "flat out" not in rows[1] and "throttled" in rows[1]
    assert "throttled" in text_of(make_report([free, slow]))


def test_a_ratio_from_a_window_under_a_fifth_of_a_second_is_marked(tmp_path):
    long = load_run(store(tmp_path)).results
    short = load_run(store(tmp_path, deployment="single_thread", seed=1, changes={"window_s": 0.19}))
    table = Summary().comparison([long, short.results])
    assert "1.00*" in table.splitlines()[2] and "* uncertain, because the window is under 0.2 s" in table
    assert "*" not in Summary().comparison([long, {**short.results, "window_s": 0.2}])
    assert "* uncertain: a window under 0.2 s." in text_of(make_report([short]))
    # the reference decides for every ratio
    first, second = Summary().comparison([short.results, long]).splitlines()[1:3]
    assert "1.00*" in first and "1.00*" in second


@pytest.mark.parametrize("project", ["[]", '"x"', '{"deployments": 5}', '{"deployments": [1]}', "{", None])
def test_a_damaged_project_costs_its_picture_alone(tmp_path, project):
    run = load_run(store(tmp_path))
    (run.path / "project.json").unlink() if project is None else (run.path / "project.json").write_text(project)
    assert [d.name for section in sections([run]) for d in section.groups] == ["flow"]


def test_a_run_without_hops_says_nothing_of_them(tmp_path):
    run = load_run(store(tmp_path))
    assert "Latency by hop" not in make_report([run]) and "  hops  " not in Summary().run(run.results, run.path)


def test_profiling_states_its_slowdown(tmp_path):
    run = load_run(store(tmp_path, changes={
        "metrics": "profile", "metrics_cost": {"clock_read_ns": 20.0, "clock_reads": 10**7, "share": 0.12}}))
    assert "took 12% of the workers' time" in Summary().run(run.results, run.path)
    assert "12 % of the workers" in text_of(make_report([run]))


def edge(source: str, sink: str, mean, most) -> dict:
    return {"from": source, "to": sink, "buffer_items": 64, "fill_mean": 0.5,
            "fill_over_time": mean and {"bin_ns": 1 << 20, "mean": mean, "max": most}}


PROFILED = {"metrics": "profile", "edges": [
    edge("source.out", "stage.in", [0.25, None, 1], [0.5, None, 1]), edge("a.out", "b.in", None, None)]}


def titles(page: str) -> list[str]:
    return re.findall(r"<title>([^<]*)</title></circle>", page)


def data_of(page: str, name: str) -> list[list[str]]:
    text = re.search(rf'base64,([^"]*)" download="{name}\.csv"', page)[1]
    return list(csv.reader(base64.b64decode(text).decode().splitlines()))


def test_buffer_fill_over_the_run_is_drawn_with_its_values_and_its_data(tmp_path):
    page = make_report([load_run(store(tmp_path, changes=PROFILED))])
    assert "Buffer fill over the run" in page and "/run/metrics=profile" not in page
    # Metrics without samples have neither a value nor a row.
    assert [it for it in titles(page) if "→" in it] == [
        "source.out → stage.in, 0 ns to 1.05 ms: mean 25 %, at most 50 %",
        "source.out → stage.in, 2.10 ms to 3.15 ms: mean 100 %, at most 100 %"]
    assert data_of(page, "fill_over_time") == [
        ["connection", "begin_ns", "end_ns", "mean", "max"], ["source.out → stage.in", "0", "1048576", "0.25", "0.5"],
        ["source.out → stage.in", "2097152", "3145728", "1", "1"]]


@pytest.mark.parametrize("metrics, says", [("counters", True), ("profile", False)])
def test_a_run_whose_fill_was_not_followed_says_how_that_is_had(tmp_path, metrics, says):
    changes = {"metrics": metrics, "edges": PROFILED["edges"][1:]}
    page = make_report([load_run(store(tmp_path, changes=changes))])
    assert "Buffer fill over the run" not in page and ("<code>--set /run/metrics=profile</code>" in page) == says


def test_calls_by_their_items_are_drawn_where_they_are_counted(tmp_path):
    run = load_run(store(tmp_path))
    page, name = make_report([run]), run.results["blocks"][0]["id"]
    assert data_of(page, "items_per_call")[:4] == [["block", "items", "calls"], [name, "1", "1"], [name, "96", "8"],
                                                   [name, "512", "1"]]
    assert [it for it in titles(page) if it.startswith(f"{name}, ")] == [
        f"{name}, 1 item: 1 call, 10 %", f"{name}, 96 to 103 items: 8 calls, 80 %",
        f"{name}, 512 to 575 items: 1 call, 10 %"]
    uncounted = [{**block, "items_per_call": None} for block in run.results["blocks"]]
    assert "Items a call: bars" not in make_report([load_run(store(tmp_path, seed=1, changes={"blocks": uncounted}))])


def test_a_run_of_an_earlier_version_has_neither_and_is_shown(tmp_path):
    folder = store(tmp_path)
    written = json.loads((folder / "results.json").read_text())
    for block in written["blocks"]:
        del block["items_per_call"]["distribution"]
    written["edges"] = [{key: it for key, it in edge("a.out", "b.in", None, None).items() if key != "fill_over_time"}]
    (folder / "results.json").write_text(json.dumps(written))
    page = make_report([load_run(folder)])
    assert "Items a call: bars" not in page and "Fill of the buffers" in page


def test_of_many_rows_the_first_are_drawn_and_the_data_has_all():
    blocks = [{"id": f"b{i}", "items_per_call": {"distribution": [[0, 1], [1 << i, 2]]}} for i in range(MOST_ROWS + 6)]
    edges = [edge(f"b{i}.out", f"b{i + 1}.in", [0.5] * 128, [1] * 128) for i in range(MOST_ROWS + 1)]
    calls, fill = call_sizes(blocks), fill_over_time(edges)
    assert f"first {MOST_ROWS} of {MOST_ROWS + 6} blocks" in calls.caption and len(calls.table) == 1 + 2 * len(blocks)
    assert f"first {MOST_ROWS} of {MOST_ROWS + 1} connections" in fill.caption
    assert len(fill.table) == 1 + 128 * len(edges)
    assert len(fill.marks) <= MOST_ROWS * MOST_MARKS and calls.render("svg") and fill.render("svg")


def test_a_run_on_a_slowed_machine_is_marked_in_the_table_and_the_page(tmp_path):
    runs = [load_run(store(tmp_path, repetition=i, deployment=deployment,
                           changes={"speed_check": speed_check(rate, rate)}))
            for deployment in ("flow", "single_thread") for i, rate in enumerate((10e9, 9.9e9))]
    slow = load_run(store(tmp_path, repetition=2, changes={"speed_check": speed_check(6e9, 6.5e9)}, deployment="flow"))
    assert slow.status == "ok"
    table = Summary().comparison([r.results for r in [*runs, slow]])
    assert "flow, repetition 3: the machine was 35 % slower" in table
    assert "35 % slower" in make_report([*runs, slow]) and "slower" not in make_report(runs)


@pytest.mark.parametrize("status", ["failed", "timeout", "invalid", "partial"])
def test_what_is_not_ok_is_explained_and_never_averaged_in(tmp_path, status):
    good = load_run(store(tmp_path, throughput=1e9, deployment="flow"))
    bad = load_run(store(tmp_path, throughput=9e9, latencies=[10**9] * 50, repetition=1, status=status,
                         reason=f"because it was made {status}", deployment="flow"))
    other = load_run(store(tmp_path, throughput=2e9, deployment="single_thread"))
    (section,) = sections([good, bad, other])
    series = series_of(section.groups[[d.name for d in section.groups].index("flow")])
    assert list(series.throughputs) == [1e9] and len(series.latencies) == 1
    page = text_of(make_report([good, bad, other]))
    assert f"because it was made {status}" in page and "1 of 2 runs valid" in page and "9.00 Gitems/s" not in page
    table = Summary().comparison([r.results for r in (good, bad, other)])
    line = next(line for line in table.splitlines() if line.startswith("flow"))
    assert "1 of 2" in line and "1.00 Gitems/s" in line


def test_a_verification_is_in_the_page_and_the_summary(tmp_path):
    verification = {"ok": True, "items": 1_000_003, "reference": "numpy", "scheduler": None, "binary_hash": "0" * 64,
                    "sinks": [], "message": "1,000,003 items equal to the reference"}
    run = load_run(store(tmp_path, changes={"verification": verification}))
    assert "Verified: 1,000,003 items equal to the reference." in text_of(make_report([run]))
    assert "verified   1,000,003 items equal to the reference" in Summary().run(run.results, run.path)
    run = load_run(store(tmp_path, seed=1))
    assert "erified" not in make_report([run]) and "verified" not in Summary().run(run.results, run.path)
