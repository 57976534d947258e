"""What `weir validate --json` says for an editor: values of expressions, facts of ports, and corrections to apply."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import jsonschema
import pytest
from conftest import BAD, FIXTURES
from planning import EXAMPLES
from stored_runs import store

from weir import cli
from weir.check import check
from weir.diagnostics import Fix, diagnostic, resolve
from weir.document import jsontext, shape

FIXABLE = [(file, d) for file in sorted(BAD.glob("*.weir.json"))
           for d in check(file, scheduler_paths=[FIXTURES / "schedulers"],
                          target_paths=[FIXTURES / "targets"]).diagnostics if d.fix]


def answer(project: object, tmp_path: Path, capsys: pytest.CaptureFixture, *options: str) -> dict:
    path = tmp_path / "p.weir.json"
    path.write_text(json.dumps(project))
    cli.main(["validate", str(path), "--json", *options])
    result = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("diagnostics")).validate(result)
    return result


def quickstart(**more: object) -> dict:
    return {**json.loads((EXAMPLES / "quickstart.weir.json").read_text()), **more}


def test_every_expression_has_its_value(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    project = quickstart(parameters={"stages": {"value": 6, "maximum": {"expr": "2 * 32"}},
                                     "half": {"value": {"expr": "stages / 4"}}},
                         run={"items": {"expr": "2.4M"}}, x_mine={"expr": "stages"}, ui={"a": {"expr": "stages"}})
    project["graph"]["blocks"][3]["repeat"] = {"expr": "stages // 2"}
    values = answer(project, tmp_path, capsys, "--values")["values"]
    assert values == {"/parameters/stages/maximum": 64, "/parameters/half/value": 1.5, "/run/items": 2400000,
                      "/graph/blocks/3/repeat": 3}


def test_a_wrong_expression_has_no_value_and_the_others_do(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    project = quickstart(parameters={"a": {"value": {"expr": "b + 1"}}, "c": {"value": {"expr": "7 // 2"}}},
                         run={"items": {"expr": "a * 10"}})
    result = answer(project, tmp_path, capsys, "--values")
    assert not result["ok"]
    assert result["values"]["/parameters/c/value"] == 3
    assert not {"/parameters/a/value", "/run/items"} & set(result["values"])


def test_ports_have_item_types_and_rates(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    project = quickstart()
    project["graph"]["blocks"][2] = {"id": "gain", "type": "fir_filter",
                                     "parameters": {"decimation": {"expr": "2 * 4"}, "taps": [1]}}
    blocks = answer(project, tmp_path, capsys, "--values")["blocks"]
    assert blocks["gain"] == {"item_type": "f32", "inputs": {"in": {"item_type": "f32", "rate": 8}},
                              "outputs": {"out": {"item_type": "f32", "rate": 1}}}
    assert set(blocks) == {block["id"] for block in project["graph"]["blocks"]}


def test_values_are_given_on_request_alone_and_without_a_graph_too(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert set(answer(quickstart(), tmp_path, capsys)) == {"revision", "ok", "diagnostics"}
    result = answer({"schema_version": 1}, tmp_path, capsys, "--values")
    assert (result["ok"], result["values"], result["blocks"], result["essence"]) == (False, {}, {}, None)


def test_what_changes_no_run_is_no_other_version_of_a_project(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """The row of a run has the essence of its project: an editor holds them against each other."""
    def essence(**more: object) -> str:
        return answer(quickstart(**more), tmp_path, capsys, "--values")["essence"]

    run = store(tmp_path / "runs")
    assert cli.main(["runs", "list", "--json", "--out", str(tmp_path / "runs")]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert row["essence"] == essence() == essence(title="Other", description="More", ui={"a": 1}, x_mine=3)
    assert row["essence"] != essence(run={"items": 5})
    (run / "project.json").unlink()
    assert cli.main(["runs", "list", "--json", "--out", str(tmp_path / "runs")]) == 0
    assert json.loads(capsys.readouterr().out)[0]["essence"] is None


def test_bad_projects_offer_corrections() -> None:
    assert {"E_KEY_UNKNOWN", "E_PARAMETER_UNKNOWN", "E_BLOCK_TYPE", "E_BLOCK_UNKNOWN", "E_EXPR_NAME",
            "E_PARAMETER_CHOICE", "E_SCHEDULER_UNKNOWN"} <= {d.code for _, d in FIXABLE}


@pytest.mark.parametrize(("file", "found"), FIXABLE, ids=[f"{f.name}-{d.code}" for f, d in FIXABLE])
def test_a_correction_mends_what_it_is_offered_for(file: Path, found) -> None:
    document, _ = jsontext.read(file.read_bytes())
    mended = copy.deepcopy(document)
    path, _, last = found.pointer.rpartition("/")
    parent = resolve(mended, path)
    key = int(last) if isinstance(parent, list) else last
    if found.fix.kind == "key":
        parent[found.fix.text] = parent.pop(key)
    else:
        parent[key] = found.fix.text
    left = check(json.dumps(mended), directory=BAD, scheduler_paths=[FIXTURES / "schedulers"],
                 target_paths=[FIXTURES / "targets"]).diagnostics
    assert (found.code, found.pointer) not in [(d.code, d.pointer) for d in left]


def test_only_a_whole_word_is_corrected() -> None:
    assert diagnostic("E_PARAMETER_CHOICE", "/a", "m", "did you mean `hann`?").fix == Fix("value", "hann")
    assert diagnostic("E_PARAMETER_CHOICE", "/a", "m", "it is one of `a`, `b`").fix is None
    assert diagnostic("E_PLACEMENT_INSTANCE", "/a", "m", "did you mean `stage`?").fix is None
