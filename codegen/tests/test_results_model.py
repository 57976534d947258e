"""The model of results: what is made of it is up to date, and it says everything that a reader must know."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from stored_runs import store

CODEGEN = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CODEGEN))

import make_results  # noqa: E402
from weir import cli  # noqa: E402
from weir.measuring.model import Kind, blank, fields, fill_in, model, records  # noqa: E402

NUMBERS = ("count", "integer", "number", "amount", "share", "three")


@pytest.mark.parametrize("path", make_results.made(), ids=lambda path: path.name)
def test_what_is_made_of_the_model_is_up_to_date(path: Path) -> None:
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
    assert found["latency"] is None and found["sinks"] == [] and found["planned"]["buffers"] == {}
    assert found["load"] == {"offered_items_per_s": None, "delivered_items_per_s": None, "kept_up": None}


def test_what_earlier_versions_lack_is_filled_in_wherever_it_is_and_nothing_else() -> None:
    results = {"threads": [{"name": "w0"}, 3], "environment": {"cpus": 4}, "latency": {"count": 1}, "sinks": "damaged"}
    fill_in(results)
    assert results["threads"] == [{"name": "w0", "run_delay_s": None}, 3]
    assert results["environment"] == {"cpus": 4, "runnable": None, "foreign": None}
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


@pytest.fixture
def one_more(monkeypatch: pytest.MonkeyPatch):
    """The model with one entry more, as whoever starts the command line anew finds it."""
    from weir.comparing import comparison, estimates, metrics

    more = {**model(), "metrics": [*model()["metrics"], NEW_METRIC]}
    told = tuple(map(metrics.Metric.told, more["metrics"]))
    for name, value in (("METRICS", told), ("BY_ID", {it.id: it for it in told}),
                        ("LISTED", tuple(it for it in told if it.column))):
        monkeypatch.setattr(metrics, name, value)
        for reader in (comparison, estimates):
            if hasattr(reader, name):
                monkeypatch.setattr(reader, name, value)
    monkeypatch.setattr(make_results, "model", lambda: more)


def test_a_new_metric_is_one_entry(one_more: None, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for side, items in (("a", 1000), ("b", 2000)):
        for repetition in range(8):
            store(tmp_path / side, repetition=repetition, minute=items // 1000,
                  changes={"sinks": [{"id": "sink", "items": items, "expected": None, "digest": None}]})
    assert cli.main(["compare", str(tmp_path / "a"), str(tmp_path / "b"), "--metric", "cpu_ns_per_item", "--json"]) == 0
    gate = json.loads(capsys.readouterr().out)["comparisons"][0]["metrics"][0]
    assert (gate["id"], gate["unit"], gate["gate"], gate["verdict"]) == ("cpu_ns_per_item", "ns", True, "better")
    assert (gate["a"], gate["b"]) == (1e6, 5e5)  # two threads of 0.5 s each
    assert cli.main(["runs", "list", "--out", str(tmp_path / "b"), "--json"]) == 0
    assert {row["metrics"]["cpu_ns_per_item"] for row in json.loads(capsys.readouterr().out)} == {5e5}
    assert "| `cpu_ns_per_item` | CPU time per item | `/threads/*/cpu_time_s` over `/sinks/*/items` |" in make_results.page()
