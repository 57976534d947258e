"""Test the page of a report: its script, what can be pointed at, the tables of its figures, and sorting."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from stored_runs import example, store
from sweep_world import AXES, program, sweep
from weir import PACKAGE, cli
from weir.engine.measuring.latency import write_hgrm
from weir.engine.measuring.run_directory import load_run
from weir.lab.sweeping import page
from weir.lab.sweeping.drawings import MOST_PANELS, _some
from weir.lab.sweeping.state import read_state
from weir.read.reporting import axis_figures, embedding, figures, look
from weir.read.reporting.axis_figures import Line, Quantity, Spot
from weir.read.reporting.embedding import entry, number
from weir.read.reporting.quantities import Entry
from weir.read.reporting.report import REFRESH, make_report
from weir.read.reporting.sections import load_runs, sections, whole_environment

HOSTILE = "--></script><script>alert(1)</script><img src=x onerror=alert(1)>"
RATE, MEAN = Quantity("throughput", "items/s"), Quantity("mean latency", "ns", "p5 to p95")


class Elements(HTMLParser):
    """Every element with its attributes, and the text of scripts."""

    def __init__(self, text: str):
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def handle_data(self, data):
        if self.cdata_elem == "script":
            self.scripts[-1] += data


def policy(text: str) -> str:
    return re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)[1]


def rows_of(figure: embedding.Figure) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(base64.b64decode(figure.data.partition(",")[2]).decode())))


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs")
    hostile = example("quickstart", title=HOSTILE, description=HOSTILE)
    store(out, project=hostile, throughput=3e9)
    store(out, project=hostile, repetition=1, seed=1, throughput=2e9, status="invalid", reason=HOSTILE)
    return make_report(load_runs([out]))


def test_one_script_runs_and_its_hash_lets_it(text):
    it = Elements(text)
    [script] = it.scripts
    assert script == (PACKAGE / "read/reporting/html/report.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy(text) == f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"


def test_text_of_a_project_is_no_script_and_no_handler(text):
    it = Elements(text)
    assert "alert(1)" in text and len(it.scripts) == 1 and not any(tag == "img" for tag, _ in it.found)
    for _, attributes in it.found:
        assert not [name for name in attributes if name.startswith("on")]
        assert not (attributes.get("href") or "").lower().startswith("javascript")


def test_words_of_a_figure_are_no_markup():
    drawing = axis_figures.over_axis("f", "c", HOSTILE, RATE, [Line(HOSTILE, [Spot(1, 1e9, None, [1e9])])])
    svg = embedding.embedded(drawing, 1, None, "").svg
    assert "&lt;script&gt;" in svg and not {"script", "img"} & {tag for tag, _ in Elements(svg).found}


def test_a_page_that_is_not_renewed_does_not_load_itself_again(text):
    assert REFRESH not in text and "http-equiv=\"refresh\"" not in text


@pytest.mark.parametrize("made, wanted", [
    (number(1234), '<td class="n" data-v="1234">1\u202f234</td>'), (number(None), '<td class="n">–</td>'),
    (number(1.5e9, "rate", " *"), '<td class="n" data-v="1500000000.0">1.50\u00a0Gitems/s\u00a0*</td>'),
    (entry(Entry("1.5 s (1 s .. 2 s) | 1.4 s", 1.5)),
     '<td class="n" data-v="1.5">1.5\u00a0s (1\u00a0s\u00a0..\u00a02\u00a0s) |\u2060\u00a01.4\u00a0s</td>'),
    (number(0.256, "share"), '<td class="n" data-v="0.256">26\u00a0%</td>')])
def test_a_number_is_sorted_by_what_it_is_and_not_by_its_words(made, wanted):
    assert made == wanted


def test_tables_of_runs_sort_and_say_so_without_a_script(text):
    tables = re.findall(r"<table(.*?)>.*?</table>", text, re.DOTALL)
    assert tables.count(' class="sorts"') >= 5
    for table in re.findall(r'<table class="sorts">.*?</table>', text, re.DOTALL):
        # The script finds the heads, and each cell has a head.
        heads = len(re.findall(r"<th\b", table.partition("<tbody>")[0]))
        rows = table.partition("<tbody>")[2].split("</tr>")[:-1]
        assert heads and all(len(re.findall(r"<td\b", row)) == heads for row in rows)


LINES = [Line("flow", [Spot(1, 2e9, (1e9, 3e9), [1.5e9, 2e9]), Spot(8, 1e9, (0.9e9, 1.1e9), [1e9, 1.1e9])]),
         Line("static", [Spot(1, 4e9, None, [4e9]), Spot(8, 3e9, None, [3e9])])]


def test_each_value_of_a_figure_can_be_pointed_at_where_it_is_drawn():
    svg = axis_figures.over_axis("f", "c", "stages", RATE, LINES).render("svg")["svg"].decode()
    marks = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"[^>]*><title>([^<]+)</title>', svg)
    assert [words for *_, words in marks] == [
        "flow, stages 1: 2.00 Gitems/s (95 %: 1.00 Gitems/s .. 3.00 Gitems/s), 2 rounds",
        "flow, stages 8: 1.00 Gitems/s (95 %: 900 Mitems/s .. 1.10 Gitems/s), 2 rounds",
        "static, stages 1: 4.00 Gitems/s, 1 round", "static, stages 8: 3.00 Gitems/s, 1 round"]
    drawn = {(round(float(x)), round(float(y))) for x, y in re.findall(r'<use [^>]*x="([\d.]+)" y="([\d.]+)"', svg)}
    for x, y, _ in marks:
        assert any(abs(float(x) - a) <= 1 and abs(float(y) - b) <= 1 for a, b in drawn)


def test_figures_that_are_no_page_have_the_same_bytes_each_time_and_their_own_colours():
    drawing = axis_figures.by_row("f", "c", RATE, [Line("flow", [LINES[0].spots[0]])])
    svg = drawing.render("svg")["svg"]
    assert svg == drawing.render("svg")["svg"] and figures.COLOURS[0].lower() in svg.decode()
    # On a page, figures use the page's colours: light, dark, or paper's.
    shown = embedding.embedded(drawing, 1, None, "").svg
    assert "var(--series0)" in shown and not re.search(r"(fill|stroke): #", shown)


def test_the_page_knows_the_colours_of_the_figures():
    css = (PACKAGE / "read/reporting/html/report.css").read_text(encoding="utf-8")
    light, dark = css.split("@media screen and (prefers-color-scheme: dark)")
    dark = dark.split("* { box-sizing")[0]
    for colour, name in embedding._NAMES.items():
        assert f"{name}: {colour.lower()}" in light or name == "--page"
        assert f"{name}:" in dark


def test_a_flowgraph_has_the_pages_colours_and_its_texts_are_untouched():
    light, dark = look.LIGHT, look.LOOK["themes"]["dark"]
    shown = embedding.flowgraph(f'<rect fill="{light["node"]}"/><text fill="{light["text"]}">fill=#17202B</text>'
                                '<path fill="#123456"/>')
    assert shown == ('<rect fill="var(--flowFFFFFF)"/><text fill="var(--flow17202B)">fill=#17202B</text>'
                     '<path fill="#123456"/>')
    rules, of_dark = embedding.FLOW_CSS.split("@media screen and (prefers-color-scheme: dark)")
    assert f"--flow17202B: {light['text']};" in rules and f"--flow17202B: {dark['text']};" in of_dark
    assert f"--flowFFFFFF: {dark['node']};" in of_dark


def test_the_data_of_a_figure_is_beside_it_and_in_its_folder(tmp_path):
    drawing = axis_figures.over_axis("f", "c", "stages", RATE, LINES)
    it = embedding.embedded(drawing, 3, tmp_path, "2_")
    assert (it.name == "2_f.csv"
            and (tmp_path / "2_f.csv").read_text() == base64.b64decode(it.data.partition(",")[2]).decode())
    assert rows_of(it)[0] == {"line": "flow", "stages": "1", "value": "2000000000.0", "low": "1000000000.0",
                              "high": "3000000000.0", "rounds": "1500000000.0 2000000000.0"}
    assert [row["low"] for row in rows_of(it)[2:]] == ["", ""]


def test_bars_that_are_a_spread_stand_on_their_value_of_x_and_say_what_they_are():
    lines = [Line(name, [Spot(x, 2e3, (1e3, 5e3), []) for x in (1, 2, 4)]) for name in "ab"]
    drawing = axis_figures.over_axis("f", "c", "stages", MEAN, lines)
    assert [mark.x for mark in drawing.marks] == [1, 2, 4, 1, 2, 4]
    ax = Figure().add_subplot()
    drawing.draw(ax)
    assert {x for line in ax.lines for x in line.get_xdata()} == {1, 2, 4}
    # Bars of two contenders hide each other, but their ends have different widths.
    assert len({line.get_markersize() for line in ax.lines if list(line.get_xdata()) == [1, 1]}) == 2
    assert drawing.marks[0].words == "a, stages 1: 2.00 µs (p5 to p95: 1.00 µs .. 5.00 µs)"
    assert drawing.table[1][:5] == ["a", 1, 2e3, 1e3, 5e3]


# Sweeps

def with_latencies(folder: Path) -> None:
    """Give runs 2,000 latencies around a median that grows with the point."""
    for run in folder.glob("2*"):
        results = json.loads((run / "results.json").read_text())
        point = json.loads((run / "run.json").read_text())["set"]["point"]
        values = (1000 * (point + 1) * np.random.default_rng(point).lognormal(0, 0.3, 2000)).astype(np.int64)
        ranks = {f"p{name}_ns": int(np.sort(values)[int(np.ceil(2000 * p)) - 1])
                 for name, p in (("5", 0.05), ("50", 0.5), ("95", 0.95), ("99", 0.99))}
        results["latency"] = {"count": 2000, "lost": 0, "mean_ns": float(values.mean()), **ranks, "p999_ns": None,
                              "max_ns": int(values.max())}
        (run / "results.json").write_text(json.dumps(results))
        write_hgrm(run / "latency.hgrm", values)


def plotted(folder: Path, **plot: str) -> None:
    state = json.loads((folder / "sweep.json").read_text())
    state["document"]["sweeps"] = [{"name": "s", "vary": {"stages": [1]}, "plot": plot}]
    (folder / "sweep.json").write_text(json.dumps(state))


def test_a_sweep_of_many_points_has_whole_distributions_and_bars_of_percentiles(tmp_path):
    out = tmp_path / "out"
    sweep(out, program(tmp_path / "world"), repetitions=2).go_on()
    with_latencies(out)
    drawn = {it.id: it for it in page.lead(read_state(out)).drawings}
    assert list(drawn) == ["throughput_items_per_s", "latency_mean_ns", "latency_p99_ns", "latency_distribution"]
    whole = drawn["latency_distribution"]
    assert ([panel.title for panel in whole.panels] == ["stages=1", "stages=2", "stages=3"]
            and whole.names == {0: "flow", 6: "single_thread"})
    assert {(row[0], row[1])
            for row in whole.table[1:]} == {(f"stages={n}", name) for n in (1, 2, 3) for name in whole.names.values()}
    # Each point has its own runs: two of 2,000 latencies.
    for panel in whole.panels:
        assert [sum(series.counts) for _, series in panel.series] == [4000, 4000]
    medians = [series.quantile(0.5) for panel in whole.panels for _, series in panel.series]
    assert medians == pytest.approx([1000, 4000, 2000, 5000, 3000, 6000], rel=0.05)
    svg = whole.render("svg")["svg"].decode()
    assert svg.count("<circle") == len(whole.marks) == 3 * 2 * 4 and "<title>stages=3, flow: p50 " in svg
    spread = drawn["latency_mean_ns"]
    assert all(low < value < high for *_, value, low, high, _ in spread.table[1:])


def test_a_mean_above_its_bar_is_explained_and_quantiles_are_only_if_there_is_latency(tmp_path):
    out = tmp_path / "out"
    sweep(out, program(tmp_path / "world"), repetitions=1).go_on()
    for run in out.glob("*/results.json"):
        run.write_text(json.dumps({**json.loads(run.read_text()), "latency": None}))
    assert "latency quantile" not in page.lead(read_state(out)).caption
    with_latencies(out)
    lead = page.lead(read_state(out))
    assert "each run gives one value of a latency quantile. Only" in lead.caption
    [usual] = [it.caption for it in lead.drawings if it.id == "latency_mean_ns"]
    assert "above its bar" not in usual
    for run in out.glob("*/results.json"):
        results = json.loads(run.read_text())
        results["latency"]["mean_ns"] = 10 * results["latency"]["p95_ns"]
        run.write_text(json.dumps(results))
    [late] = [it.caption for it in page.lead(read_state(out)).drawings if it.id == "latency_mean_ns"]
    assert "A mean above its bar comes from a few items with a very long latency." in late


def test_the_environment_of_a_sweep_names_the_versions_of_the_runtimes(tmp_path):
    runtime = {"target": "futuresdr", "kernel_object_hash": None, "blocks": "shared"}
    known = [{**runtime, "version": "0.0.40"}, {**runtime, "target": "gnuradio", "version": "3.10.5"},
             {**runtime, "version": "0.0.40"}, None]
    runs = [load_run(store(tmp_path / str(i), changes={"runtime": it})) for i, it in enumerate(known)]
    assert dict(whole_environment(runs)["rows"])["Runtimes"] == "futuresdr 0.0.40, gnuradio 3.10.5"
    assert "Runtimes" not in dict(whole_environment(runs[-1:])["rows"])


def test_a_plot_may_ask_for_distributions_alone(tmp_path):
    out = tmp_path / "out"
    sweep(out, program(tmp_path / "world"), repetitions=1).go_on()
    with_latencies(out)
    plotted(out, kind="distribution")
    assert [it.id for it in page.lead(read_state(out)).drawings] == ["latency_distribution"]
    plotted(out, y="latency_p95_ns")
    assert [it.id for it in page.lead(read_state(out)).drawings] == ["latency_p95_ns"]


def test_the_page_of_a_sweep_has_one_part_about_its_project_and_one_table_of_the_machine(tmp_path):
    out = tmp_path / "out"
    sweep(out, program(tmp_path / "world", environment=({"flags": "-O2"}, {"flags": "-O3"})), repetitions=2).go_on()
    # Runs of one project may differ in more than their coordinates.
    for place, run in enumerate(sorted(out.glob("2*"))):
        project, results = (json.loads((run / name).read_text()) for name in ("project.json", "results.json"))
        project["deployments"][0]["chunk_items"] = 64 * (1 + place % 3)
        results["project_hash"] = f"{place % 3}"
        (run / "project.json").write_text(json.dumps(project))
        (run / "results.json").write_text(json.dumps(results))
    assert len(sections(load_runs([out]))) == 3
    made = make_report(load_runs([out]), lead=page.lead(read_state(out)))
    assert made.count("<section") == 2 and made.count("<h2>Environment</h2>") == 1
    assert '<th scope="row">Flags</th><td>-O2 (6 runs); -O3 (6 runs)</td>' in made
    for single in ("Items a call", "Last CPU", "Buffers, in items", "class=\"card\""):
        assert single not in made


def test_of_a_long_axis_the_ends_and_some_between_have_panels():
    places = [(n,) for n in range(1, 100)]
    some = _some(places)
    assert len(some) == MOST_PANELS and some[0] == (1,) and some[-1] == (99,) and some == sorted(set(some))
    assert _some(places[:MOST_PANELS]) == places[:MOST_PANELS]


def test_the_page_of_a_sweep_leads_to_the_data_of_every_figure(tmp_path):
    sweep(tmp_path / "out", program(tmp_path / "world"), axes=AXES, repetitions=1).go_on()
    assert cli.main(["report", str(tmp_path / "out"), "-o", str(tmp_path / "p.html")]) == 0
    text = (tmp_path / "p.html").read_text()
    files = re.findall(r'href="data:text/csv;base64,([^"]+)" download="([^"]+)"', text)
    # The page has no figures of single points.
    assert [name for _, name in files] == ["table.csv", "throughput_items_per_s.csv"]
    assert len(files) == text.count("<figure>")  # the flowgraph's figure has none
    for data, name in files[1:]:
        assert base64.b64decode(data) == (tmp_path / "p_figures" / name).read_bytes()
