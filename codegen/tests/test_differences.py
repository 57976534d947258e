"""Test differences of two runs: which ones count, their locations, and their values in words."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from comparing_world import no_waiting_for_the_disk, of, runs  # noqa: F401
from stored_runs import example
from weir import cli
from weir.read.comparing import differences as found
from weir.read.comparing.differences import json_diff, place_of, words_of


def ran_under(out: Path, deployments: list[dict] | None, name: str | None = None, **options) -> Path:
    return runs(out, project=example("quickstart", deployments=deployments or []), deployment=name, **options)


def test_only_deployments_that_were_run_differ(tmp_path, capsys) -> None:
    plain = {"name": "single_thread", "scheduler": "single_thread"}
    flow = {"name": "flow", "scheduler": "flow", "workers": 2, "placement": {"strategy": "contiguous"}}
    implied, written = ran_under(tmp_path / "a", None), ran_under(tmp_path / "b", [plain, flow], "single_thread")
    other = ran_under(tmp_path / "c", [plain, flow], "flow")

    def said(a: Path, b: Path) -> list[tuple[str, str, str, str]]:
        one = of(capsys, a, b)[1]
        return [(d["part"], d["where"], d["says_a"], d["says_b"]) for d in one["differences"]
                if d["part"] in ("project", "deployment")]

    assert said(implied, written) == []
    assert said(implied, other) == [
        ("deployment", "name", "single_thread", "flow"), ("deployment", "scheduler", "single_thread", "flow"),
        ("deployment", "workers", "not set", "2"), ("deployment", "placement · strategy", "not set", "contiguous")]
    cli.main(["compare", str(implied), str(other)])
    assert "deployment: placement · strategy: not set → contiguous\n" in capsys.readouterr().out


@pytest.mark.parametrize("value, words", [
    (None, "not set"), (2, "2"), (True, "true"), ([], "none"), ([1, 2.5], "1, 2.5"),
    ({"a": {"b": None}, "c": None, "d": {}}, "a nothing"),
    ({"name": "w0", "instances": ["source", "gain"]}, "source, gain"), ({"id": "x", "type": "math.add"}, "math.add"),
    ("1" * 64, "11111111"), ("flow", "flow")])
def test_a_value_is_in_words(value, words) -> None:
    assert words_of(value) == words


def test_differences_are_found_by_pointer() -> None:
    a = {"blocks": [{"id": "x", "n": 1}, {"id": "y"}], "wires": [["a", "b"], ["c", "d"]], "same": 1, "list": [1, 2]}
    b = {"blocks": [{"id": "y"}, {"id": "x", "n": 2}], "wires": [["a", "b"], ["c", "e"]], "same": 1.0, "list": [1],
         "new/~": None}
    assert [(place, y) for place, _, y in json_diff(a, b)] == [
        ("/blocks/0/n", 2), ("/wires/1", ["c", "e"]), ("/list", [1]), ("/new~1~0", None)]
    assert list(json_diff(True, 1)) == [("", True, 1)] and not list(json_diff({}, {}))


def test_what_one_side_lacks_is_called_as_it_is_on_the_other(monkeypatch) -> None:
    sides = [{"workers": [{"name": "w0"}]}, {"workers": [{"name": "head"}, {"name": "tail"}]}]
    for part in ("_undeployed", "_request", "_sources", "_environment", "deployment"):
        monkeypatch.setattr(found, part, lambda run: {})
    monkeypatch.setattr(found, "_planned", lambda run: sides[run.side])
    runs = [SimpleNamespace(side=side, results={"parameters": {}, "binary_hash": ""}) for side in (0, 1)]
    for way in (1, -1):
        assert sorted(d.where for d in found.differences(*runs[::way])) == ["worker head", "worker tail", "worker w0"]


def test_a_place_is_reported_as_who_drew_the_graph_knows_it() -> None:
    project = {"graph": {"blocks": [{"id": "gain", "parameters": {"constant": 2}}], "connections": [["a", "b"]]},
               "deployments": [{"name": "flow", "workers": 2}], "parameters": {"stages": {"value": 3}},
               "run": {"items": 5}}
    for place, words in (("/graph/blocks/0/parameters/constant", "block gain · constant"),
                         ("/graph/blocks/0", "block gain"),
                         ("/deployments/0/workers", "deployment flow · workers"), ("/run/items", "run · items"),
                         ("/parameters/stages/value", "parameter stages"), ("/graph/connections/0", "connection 1"),
                         ("/graph/connections", "connections"), ("/nowhere/a~1b", "nowhere · a/b")):
        assert place_of("project", place, {}, project) == words
    assert place_of("parameters", "/gain.constant") == "block gain · constant"
    assert place_of("parameters", "/stages") == "parameter stages"
