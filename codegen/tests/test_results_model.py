"""Test the model of results: generated files are up to date, and it has everything that a reader must know."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from stored_runs import store

CODEGEN = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CODEGEN))

import make_results  # noqa: E402
from weir import cli  # noqa: E402
from weir.engine.measuring.run_directory import load_run, runs_below  # noqa: E402
from weir.engine.measuring.tables import write_table  # noqa: E402
from weir.engine.results_model import Kind, blank, fields, fill_in, model, records  # noqa: E402
from weir.read.reporting.report import make_report  # noqa: E402
from weir.read.reporting.summary import Summary  # noqa: E402

ROOT = CODEGEN.parent

NUMBERS = ("count", "integer", "number", "amount", "share", "three")


@pytest.mark.parametrize("path", make_results.made(), ids=lambda path: path.name)
def test_files_generated_from_the_model_are_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == make_results.made()[path], \
        "renew it: /usr/bin/python3 codegen/make_results.py"


def test_every_number_has_a_meaning_and_a_unit_or_is_a_count_or_a_share() -> None:
    numbers = [(record.id, it) for record in records().values() for it in record.fields.values()
               if it.kind.base in NUMBERS]
    assert [f"{owner}.{it.name}" for owner, it in numbers if not it.meaning] == []
    assert [f"{owner}.{it.name}" for owner, it in numbers
            if not it.unit and it.kind.base in ("number", "amount")] == []


def test_every_type_that_is_named_is_there_and_every_one_that_is_there_is_named() -> None:
    named = {it.kind.base for record in records().values() for it in record.fields.values()}
    parts = {part for record in records().values() for part in record.parts if isinstance(part, str)}
    assert named | parts | {"results"} == set(model()["types"]) | set(records())


def test_a_kind_is_read_from_the_right() -> None:
    assert Kind.parse("sink[]?") == Kind("?", Kind("[]", Kind("", "sink")))
    assert Kind.parse("count[]{}").base == "count"


def test_blank_results_have_every_field_and_nothing_measured() -> None:
    found = blank()
    assert list(found) == list(fields("results"))
    assert found["latency"] is None and found["sinks"] == [] and found["granted"]["buffers"] == {}
    assert found["load"] == {"offered_items_per_s": None, "delivered_items_per_s": None, "kept_up": None}


def test_fields_of_earlier_versions_get_their_new_names() -> None:
    results = {"witness": {"cpu": 0}, "disturbance": None, "environment": {"foreign": 0.25},
               "coordinates": {"block": 3}}
    fill_in(results)
    assert results["speed_check"] == {"cpu": 0} and results["environment"]["other_programs"] == 0.25
    assert results["interference"] is None and results["coordinates"]["round"] == 3
    assert not {"witness", "disturbance"} & results.keys() and "foreign" not in results["environment"]


def test_fields_that_earlier_versions_lack_are_filled_in_and_no_others() -> None:
    results = {"threads": [{"name": "w0"}, 3], "environment": {"cpus": 4}, "latency": {"count": 1}, "sinks": "damaged"}
    fill_in(results)
    later = ("runtime_us", "deadline_us", "period_us", "timer_slack_ns", "run_delay_s", "cpu_counters")
    assert results["threads"] == [{"name": "w0", **dict.fromkeys(later)}, 3]
    assert results["environment"] == {"cpus": 4, "timer_hz": None, "runnable": None, "other_programs": None}
    assert results["window"] is None and results["load"]["kept_up"] is None
    assert results["latency"] == {"count": 1} and "elapsed_s" not in results and results["sinks"] == "damaged"


def test_each_metric_leads_to_a_number() -> None:
    for metric in model()["metrics"]:
        kind = Kind("", "results")
        for name in metric["at"].removeprefix("/").split("/"):
            kind = fields(kind.base)[name].kind
        assert kind.base in NUMBERS, metric


def test_the_model_has_no_key_twice() -> None:
    def unique(pairs: list) -> dict:
        names = [name for name, _ in pairs]
        assert len(names) == len(set(names)), names
        return dict(pairs)

    json.loads(make_results.ROOT.joinpath(make_results.MADE_OF).read_text(encoding="utf-8"), object_pairs_hook=unique)


NEW_METRIC = {"id": "cpu_ns_per_item", "title": "CPU time per item", "unit": "ns", "better": "lower",
              "meaning": "CPU time of all threads over the items at the sinks", "at": "/threads/*/cpu_time_s",
              "over": {"at": "/sinks/*/items"}, "scale": 1e9, "column": "CPU per item"}
NEW_FIELD = {"name": "stolen_s", "type": "amount?", "later": True, "meaning": "taken by others while it ran"}


@pytest.fixture
def one_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Extend the model by a field and a metric, as a new process would find it."""
    from weir.cli.verbs import _run_rows
    from weir.engine import results_model as module
    from weir.engine.measuring import results
    from weir.model.document import shape
    from weir.read.comparing import comparison, estimates, metrics
    from weir.read.reporting import report, summary

    def anew() -> None:
        for cached in (model, records, shape.schema, results._validator):
            cached.cache_clear()

    more = json.loads(module.MODEL_FILE.read_text(encoding="utf-8"))
    more["metrics"].append(NEW_METRIC)
    more["objects"]["thread"]["fields"].append(NEW_FIELD)
    folder = tmp_path / "schema"
    shutil.copytree(shape.SCHEMA_FOLDER, folder)
    (folder / "results.model.json").write_text(json.dumps(more))
    monkeypatch.setattr(module, "MODEL_FILE", folder / "results.model.json")
    anew()
    (folder / "results.schema.json").write_text(make_results.schema())
    for reader in (shape, results):
        monkeypatch.setattr(reader, "SCHEMA_FOLDER", folder)
    told = tuple(map(metrics.Metric.from_entry, model()["metrics"]))
    for name, value in (("METRICS", told), ("BY_ID", {it.id: it for it in told}),
                        ("LISTED", tuple(it for it in told if it.column))):
        monkeypatch.setattr(metrics, name, value)
        for reader in (comparison, estimates, report, summary, _run_rows):
            if hasattr(reader, name):
                monkeypatch.setattr(reader, name, value)
    yield
    monkeypatch.undo()
    anew()


def test_a_new_metric_is_one_entry(one_more: None, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    threads = [{**blank(Kind("", "thread")), "name": name, "tid": 1, "policy": "other", "priority": 0,
                "cpu_time_s": 0.5, "stolen_s": 0.1} for name in ("w0", "w1")]
    for side, items in (("a", 1000), ("b", 2000)):
        for repetition in range(8):
            store(tmp_path / side, repetition=repetition, minute=items // 1000,
                  changes={"binary_hash": f"{items:064x}",
                           "sinks": [{"id": "sink", "items": items, "expected": None, "digest": None}],
                           "threads": threads})
    assert cli.main(["compare", str(tmp_path / "a"), str(tmp_path / "b"), "--metric", "cpu_ns_per_item", "--json"]) == 0
    gate = json.loads(capsys.readouterr().out)["comparisons"][0]["metrics"][0]
    assert (gate["id"], gate["unit"], gate["gate"], gate["verdict"]) == ("cpu_ns_per_item", "ns", True, "better")
    assert (gate["a"], gate["b"]) == (1e6, 5e5)  # two threads of 0.5 s each
    assert cli.main(["runs", "list", "--out", str(tmp_path / "b"), "--json"]) == 0
    assert {row["metrics"]["cpu_ns_per_item"] for row in json.loads(capsys.readouterr().out)} == {5e5}
    row = "| `cpu_ns_per_item` | CPU time per item | `/threads/*/cpu_time_s` over `/sinks/*/items` |"
    assert row in make_results.page()
    runs = [load_run(path) for side in "ab" for path in runs_below(tmp_path / side)]
    other = load_run(store(tmp_path / "other", deployment="single_thread", changes={"threads": threads[:1]}))
    table = Summary().comparison([run.results for run in (*runs, other)]).splitlines()
    assert table[0].endswith("CPU per item") and table[1].endswith("750 µs") and table[2].endswith("500 µs")
    page = make_report([*runs[:1], other])
    assert '<th class="n">CPU per item</th>' in page and ">1.00\u00a0ms</td>" in page


def test_a_new_field_is_one_entry(one_more: None, tmp_path: Path) -> None:
    shape = json.loads(make_results.schema())["$defs"]["thread"]
    assert shape["properties"]["stolen_s"] == {"type": ["number", "null"], "minimum": 0,
                                               "description": NEW_FIELD["meaning"]}
    assert "stolen_s" in shape["required"]
    row = "| `stolen_s`† | number from 0 or null | s | program | taken by others while it ran |"
    assert row in make_results.page()
    results = {"threads": [{"name": "w0"}]}
    fill_in(results)
    assert results["threads"][0]["stolen_s"] is None
    write_table(tmp_path / "threads.csv", "thread", [{"name": "w0", "stolen_s": 0.25}])
    assert (tmp_path / "threads.csv").read_text().splitlines()[1].endswith(",0.25")


def test_a_program_that_does_not_write_a_field_of_the_model_does_not_compile(one_more: None, tmp_path: Path) -> None:
    source = ROOT / "runtime"
    (tmp_path / "results_fields.hpp").write_text(make_results.header(make_results.MADE_OF))
    for name in ("results_parts.hpp", "results_values.hpp"):
        (tmp_path / name).write_text((source / "src" / name).read_text())
    text = (source / "src/results.cpp").read_text()

    def compiles(text: str) -> bool:
        (tmp_path / "results.cpp").write_text(text)
        return subprocess.run(["g++", "-std=c++20", "-fsyntax-only", f"-I{source / 'include'}", "results.cpp"],
                              cwd=tmp_path, capture_output=True).returncode == 0

    last = ".cpu_counters = cpu_counter_fields(thread.cpu_counts)"
    assert text.count(last) == 1 and not compiles(text)
    assert compiles(text.replace(last, f"{last}, .stolen_s = 0.5"))
