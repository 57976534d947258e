"""Test reports of run directories: a page, figures, a list and a summary. Means include only runs that are ok."""

from __future__ import annotations

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from stored_runs import EXAMPLES, example, planned, store
from weir.cli import main
from weir.diagnostics import WeirError
from weir.engine.measuring import results as res
from weir.engine.measuring.run_directory import INCOMPLETE, load_run
from weir.engine.measuring.runner import schedule
from weir.read.reporting.figures import Drawing, rows
from weir.read.reporting.quantities import duration, grouped, si, tick
from weir.read.reporting.report import make_report, series_of
from weir.read.reporting.sections import load_runs, sections
from weir.read.reporting.summary import Summary, sparkline


class Page(HTMLParser):
    """Checks that tags nest. Collects the words, the ids and the URLs that a browser would fetch."""

    VOID = {"meta", "link", "br", "img", "hr", "path", "use", "rect", "circle", "stop"}

    def __init__(self, text: str):
        super().__init__()
        self.open, self.words, self.ids, self.fetched, self.tags = [], [], [], [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href", "xlink:href") and not value.startswith("#"):
                self.fetched.append(value)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs")
    for deployment, throughput in (("flow", 3e9), ("single_thread", 2e9)):
        for repetition in range(2):
            store(out, deployment=deployment, repetition=repetition, throughput=throughput + repetition * 1e8,
                  seed=repetition + (100 if deployment == "flow" else 0))
    store(out, deployment="flow", repetition=2, seed=50, throughput=9e12, status="invalid",
          reason="the tracer <b>dropped</b> 17 events")
    store(out, deployment="flow", repetition=3, seed=51, throughput=1.0, status="partial")
    return out


def test_the_page_is_whole_and_fetches_nothing(runs):
    page = Page(make_report(load_runs([runs])))
    words = " ".join(page.words)
    assert all(address.startswith("data:text/csv;base64,") for address in page.fetched)
    assert len(page.ids) == len(set(page.ids))
    assert page.tags.count("figure") == 7
    assert "weir run quickstart.weir.json --deployment flow" in words and "A <CPU> & more" in words


def test_it_says_when_the_first_run_began_and_the_last_one_ended(runs):
    # A section may have its runs in another order, because it joins those of several points.
    pages = [re.sub(r"\s+", " ", make_report(order)) for order in (load_runs([runs]), load_runs([runs])[::-1])]
    spans = [re.search(r"6 runs, (\S+) to (\S+) ·", page) for page in pages]
    assert all(spans) and spans[0].groups() == spans[1].groups() and spans[0][1] < spans[0][2]


def test_invalid_and_partial_runs_are_shown_and_not_averaged_in(runs):
    loaded = load_runs([runs])
    [section] = sections(loaded)
    flow = section.groups[0]
    assert (len(flow.good), len(flow.all)) == (2, 4)
    assert series_of(flow).throughputs == [3e9, 3.1e9]
    text = make_report(loaded)
    assert "9.00 T" not in text and "2 of 6 runs are left out" in text
    assert "the tracer &lt;b&gt;dropped&lt;/b&gt; 17 events" in text and "<b>dropped" not in text


def test_pooled_percentiles_are_those_of_all_samples_together(tmp_path):
    store(tmp_path, repetition=0, seed=1, latencies=range(1, 1001))
    store(tmp_path, repetition=1, seed=2, latencies=range(1001, 2001))
    [section] = sections(load_runs([tmp_path]))
    series = series_of(section.groups[0])
    assert series.quantile(0.5) == pytest.approx(1000, abs=12)  # a step of the percentile text
    assert series.quantile(1.0) == 2000


def on_machine(run: Path, host: str, page_bytes: int = 4096) -> None:
    """Change the run as if it had been measured on that host."""
    for name, of in (("run.json", {"host": {"name": host}}),
                     ("machine.json", {"page_bytes": page_bytes, "allowed": [1]})):
        (run / name).write_text(json.dumps({**json.loads((run / name).read_text()), **of}))


def test_no_number_is_of_runs_on_two_machines(tmp_path):
    runs = [store(tmp_path, seed=i, throughput=(i + 1) * 1e9) for i in range(4)]
    assert [group.name for group in sections(load_runs([tmp_path]))[0].groups] == ["flow"]
    for run, at in zip(runs, (("bench",), ("other",), ("bench", 16384), ("bench",))):
        on_machine(run, *at)
    loaded = load_runs([tmp_path])
    [section] = sections(loaded)
    assert {group.name: series_of(group).throughputs for group in section.groups} == {
        "flow · bench (1)": [1e9, 4e9], "flow · other (2)": [2e9], "flow · bench (3)": [3e9]}
    assert "Measured on 3 machines: bench (1), other (2), bench (3)." in make_report(loaded)
    shutil.rmtree(runs[2])
    assert [group.name for group in sections(load_runs([tmp_path]))[0].groups] == ["flow · bench", "flow · other"]


def test_projects_that_differ_get_sections_of_their_own(tmp_path):
    store(tmp_path, seed=1)
    store(tmp_path, seed=2, project=example("quickstart", title="Other & <i>more</i>", run={"items": 5}))
    loaded = load_runs([tmp_path])
    assert len(sections(loaded)) == 2
    assert "Other &amp; &lt;i&gt;more&lt;/i&gt;" in make_report(loaded) and "<i>more" not in make_report(loaded)


def test_the_verb_writes_page_and_figures_the_same_each_time(runs, tmp_path, capsys):
    page = tmp_path / "r.html"
    assert main(["report", str(runs), "-o", str(page)]) == 0
    assert "2 of 6 runs are not ok" in capsys.readouterr().err
    figures = tmp_path / "r_figures"
    for name in ("throughput", "latency", "latency_distribution", "latency_percentiles"):
        for form in ("svg", "png", "pdf"):
            assert (figures / f"{name}.{form}").stat().st_size > 1000
    before = {p.name: p.read_bytes() for p in [page, *figures.iterdir()]}
    assert main(["report", str(runs), "-o", str(page)]) == 0
    assert {p.name: p.read_bytes() for p in [page, *figures.iterdir()]} == before


def test_what_is_no_run_is_skipped_and_nothing_left_is_an_error(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "results.json").write_text("{")
    (tmp_path / (INCOMPLETE + "x")).mkdir()
    (tmp_path / (INCOMPLETE + "x") / "results.json").write_text("{}")
    assert main(["report", str(tmp_path), str(tmp_path / "nowhere"), "-o", str(tmp_path / "r.html")]) == 4
    err = capsys.readouterr().err
    assert err.count("weir: skipped") == 2 and "E_RUN_NONE" in err and not (tmp_path / "r.html").exists()


def test_the_terminal_summary_says_what_matters(runs):
    loaded = load_runs([runs])
    text = Summary().run(loaded[0].results, loaded[0].path)
    assert "\033" not in text
    for wanted in ("quickstart · flow", "ok", "3.00 Gitems/s", "p50",
                   "1 000 items as expected".replace(" ", "\u202f", 1), "memory"):
        assert wanted in text, text
    assert re.search(r"[▁▂▃▄▅▆▇█]{5,}", text)
    table = Summary().comparison([r.results for r in loaded], ["single_thread", "flow"]).splitlines()
    assert table[1].startswith("single_thread") and " 1.00 " in table[1]
    assert "2 of 4" in table[2] and " 1.49 " in table[2]
    assert "\033[" in Summary(True).run(loaded[0].results, loaded[0].path)


def test_sources_that_moved_nothing_are_not_in_the_total(runs):
    run = load_runs([runs])[0]
    for items, said in ((None, "total of 2 sources"), (5, "total of 2 sources"), (0, "")):
        one = run.results["blocks"][0]
        blocks = [{**one, "items_out": 5}, {**one, "id": "beside", "items_out": items}]
        text = Summary().run({**run.results, "blocks": blocks, "edges": []}, run.path)
        assert (said or "throughput") in text and ("total of" in text) == bool(said)


def test_a_project_cannot_drive_the_terminal(tmp_path):
    run = load_run(store(tmp_path, status="invalid", reason="a\x1b]0;title\x07b"))
    assert "\x1b" not in Summary().run(run.results, run.path)


def test_a_constant_latency_has_no_shape_and_no_failure(tmp_path):
    path = store(tmp_path, latencies=[500] * 50)
    assert sparkline(path / "latency.hgrm") == ""
    assert "latency" in make_report(load_runs([path]))


@pytest.mark.filterwarnings("error")  # matplotlib warns if labels leave no room for the drawing
def test_rows_with_long_names_leave_room_for_what_they_show():
    name = " · ".join(f"parameter_{n}={n}M" for n in range(7))
    drawing = Drawing("rows", "", 2.0, lambda axes: rows(axes, [name, "short"]))
    assert drawing.render("svg")["svg"].count(b"parameter") == 7


def test_a_percentile_that_is_missing_says_what_it_takes(tmp_path):
    [run] = loaded = load_runs([store(tmp_path, latencies=range(400, 1399))])
    words = "p99 needs at least 1\u202f000 latencies, but this run has 999"
    assert words in Summary().run(run.results, run.path) and words in make_report(loaded)
    enough = load_run(store(tmp_path / "enough", latencies=range(400, 1400)))
    assert "needs at least" not in Summary().run(enough.results, enough.path)


def test_reasons_worsen_the_status_and_never_better_it():
    _, plan, _ = planned(EXAMPLES / "quickstart.weir.json")
    results = res.without_results(plan, "r", 0, "off", {})
    for code, status in (("N_TRACE_IN_MEMORY", "ok"), ("E_LOST", "invalid"), ("E_INTERRUPTED", "partial"),
                         ("E_DISCARDED", "partial"), ("E_CRASHED", "failed"), ("E_LOST", "failed")):
        res.add_reason(results, code, "x")
        assert results["status"] == status
    assert len(results["reasons"]) == 5
    with pytest.raises(WeirError, match="E_INTERNAL|does not match"):
        res.check_written({**results, "environment": {"flags": None}}, "results")  # without its other keys


def test_runs_are_interleaved_at_random_but_the_same_for_a_seed():
    order = list(schedule(3, 20, 7))
    assert order == list(schedule(3, 20, 7)) != list(schedule(3, 20, 8))
    for repetition in range(20):
        assert sorted(d for r, d in order[repetition * 3:][:3] if r == repetition) == [0, 1, 2]
    assert len({tuple(d for _, d in order[i:i + 3]) for i in range(0, 60, 3)}) > 3


@pytest.mark.parametrize("made, wanted", [
    (si(1.5e9, "items/s"), "1.50 Gitems/s"), (si(999.9e6, "B"), "1.00 GB"), (si(0, "items/s"), "0 items/s"),
    (si(None, "x"), "–"), (duration(1234), "1.23 µs"), (duration(12), "12.0 ns"), (duration(2e9), "2.00 s"),
    (grouped(1234567), "1\u202f234\u202f567"), (tick("10.0 µs"), "10 µs"), (tick("100 M"), "100 M"), (tick("0"), "0"),
])
def test_numbers_as_people_write_them(made, wanted):
    assert made == wanted
