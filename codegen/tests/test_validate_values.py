"""Test answers of `weir validate --json` for an editor: values of expressions, facts of ports, and corrections."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import jsonschema
import pytest
from conftest import BAD, FIXTURES
from planning import EXAMPLES, MACHINES
from stored_runs import store
from weir import cli
from weir.diagnostics import Diagnostic, Fix, WeirError, diagnostic, resolve
from weir.model.check import check
from weir.model.document import jsontext, shape

FIXABLE = [(file, d, fix) for file in sorted(BAD.glob("*.weir.json"))
           for d in check(file, scheduler_paths=[FIXTURES / "schedulers"],
                          target_paths=[FIXTURES / "targets"]).diagnostics for fix in d.fixes]


def answer(project: object, tmp_path: Path, capsys: pytest.CaptureFixture, *options: str) -> dict:
    path = tmp_path / "p.weir.json"
    path.write_text(json.dumps(project))
    cli.main(["validate", str(path), "--json", *options])
    result = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("diagnostics")).validate(result)
    return result


def quickstart(**more: object) -> dict:
    return {**json.loads((EXAMPLES / "quickstart.weir.json").read_text()), **more}


def test_what_is_not_valid_is_told_whole_to_who_asks_for_it() -> None:
    for text, asked in (("{", "loaded"), ("{", "valid"), ("{}", "valid")):
        checked = check(text)
        with pytest.raises(WeirError) as caught:
            getattr(checked, asked)()
        assert caught.value.diagnostics == list(checked.diagnostics) != []
    good = check(EXAMPLES / "quickstart.weir.json")
    assert good.loaded() is good.valid().project and good.valid().rates is good.rates


def test_every_expression_has_its_value(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    project = quickstart(parameters={"stages": {"value": 6, "maximum": {"expr": "2 * 32"}},
                                     "half": {"value": {"expr": "stages / 4"}}},
                         run={"items": {"expr": "2.4M"}}, x_mine={"expr": "stages"}, ui={"a": {"expr": "stages"}})
    project["graph"]["blocks"][3]["repeat"] = {"expr": "stages // 2"}
    values = answer(project, tmp_path, capsys, "--values")["values"]
    assert values == {"/parameters/stages/maximum": 64, "/parameters/half/value": 1.5, "/run/items": 2400000,
                      "/graph/blocks/3/repeat": 3}


def test_cpus_that_the_machine_lacks_are_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    pinned = quickstart(deployments=[{"name": "a", "scheduler": "flow", "workers": 2, "affinity": {"w1": [3]}},
                                     {"name": "b", "scheduler": "thread_per_block",
                                      "affinity": {"stage[0..1]": [1, 9]}}])

    def said(machine: str) -> list[tuple[str, str, str]]:
        result = answer(pinned, tmp_path, capsys, "--machine", str(MACHINES / f"{machine}.json"))
        assert result["ok"]
        return [(it["code"], it["pointer"].rpartition("/")[0], it["hint"]) for it in result["diagnostics"]]

    assert said("two_core") == [("W_CPU_MISSING", f"/deployments/{i}/affinity", "available CPUs: 0, 1")
                                for i in range(2)]
    assert [pointer for _, pointer, _ in said("quad_smt")] == ["/deployments/1/affinity"]


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


def test_values_are_given_on_request_alone_and_without_a_graph_too(tmp_path: Path,
                                                                   capsys: pytest.CaptureFixture) -> None:
    assert set(answer(quickstart(), tmp_path, capsys)) == {"revision", "ok", "diagnostics"}
    result = answer({"schema_version": 1}, tmp_path, capsys, "--values")
    assert (result["ok"], result["values"], result["blocks"], result["essence"]) == (False, {}, {}, None)


def test_a_change_that_affects_no_run_keeps_the_essence(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """Compare with the project's essence, which each run stores and an editor compares."""
    def essence(**more: object) -> str:
        return answer(quickstart(**more), tmp_path, capsys, "--values")["essence"]

    run = store(tmp_path / "runs")
    assert cli.main(["runs", "list", "--json", "--out", str(tmp_path / "runs")]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert row["essence"] == essence() == essence(title="Other", description="More", ui={"a": 1}, x_mine=3)
    assert row["essence"] != essence(run={"items": 5})
    deployments = quickstart()["deployments"]
    assert row["essence"] == essence(deployments=[{**it, "title": it["name"].title()} for it in deployments])
    (run / "project.json").unlink()
    assert cli.main(["runs", "list", "--json", "--out", str(tmp_path / "runs")]) == 0
    assert json.loads(capsys.readouterr().out)[0]["essence"] is None


def test_schedulers_that_cannot_run_the_graph_say_why(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    refused = answer(quickstart(), tmp_path, capsys, "--values")["refused_schedulers"]
    assert "single_thread" not in refused and "thread_per_block" not in refused
    project = quickstart()
    project["graph"]["pipes"] = 1000
    refused = answer(project, tmp_path, capsys, "--values")["refused_schedulers"]
    assert "needs one worker for each of" in refused["thread_per_block"] and "single_thread" not in refused


def test_bad_projects_offer_corrections() -> None:
    assert {"E_KEY_UNKNOWN", "E_PARAMETER_UNKNOWN", "E_BLOCK_TYPE", "E_BLOCK_UNKNOWN", "E_EXPR_NAME",
            "E_PARAMETER_CHOICE",
            "E_SCHEDULER_UNKNOWN", "E_SCHEDULER_WORKERS", "E_SCHEDULER_WAIT", "E_SCHEDULER_PLACEMENT",
            "E_TYPE_AMBIGUOUS",
            "E_VALUE_RANGE", "E_PARAMETER_RANGE"} <= {d.code for _, d, _ in FIXABLE}


def mended(document: dict, fix: Fix) -> dict:
    document = copy.deepcopy(document)
    path, _, last = fix.pointer.rpartition("/")
    if fix.kind == "set":
        parent = document
        for part in path.split("/")[1:]:
            parent = parent[int(part)] if isinstance(parent, list) else parent.setdefault(part, {})
    else:
        parent = resolve(document, path)
    key = int(last) if isinstance(parent, list) else last
    if fix.kind == "rename":
        parent[fix.what] = parent.pop(key)
    elif fix.kind == "set":
        parent[key] = fix.what
    elif fix.kind == "remove":
        del parent[key]
    else:
        src, src_port, dst, dst_port = parent[key]
        block = {"id": "between", "type": fix.what["type"], "parameters": fix.what["parameters"]}
        document["graph"]["blocks"].append(block)
        parent[key : key + 1] = [[src, src_port, "between", fix.what["input"]],
                                 ["between", fix.what["output"], dst, dst_port]]
    return document


@pytest.mark.parametrize(("file", "found", "fix"), FIXABLE, ids=[f"{f.name}-{d.code}-{x.title}" for f, d, x in FIXABLE])
def test_a_correction_mends_what_it_is_offered_for(file: Path, found: Diagnostic, fix: Fix) -> None:
    document, _ = jsontext.read(file.read_bytes())
    left = check(json.dumps(mended(document, fix)), directory=BAD, scheduler_paths=[FIXTURES / "schedulers"],
                 target_paths=[FIXTURES / "targets"]).diagnostics
    assert (found.code, found.pointer) not in [(d.code, d.pointer) for d in left]


def errors(project: dict) -> list[Diagnostic]:
    return [d for d in check(json.dumps(project)).diagnostics if d.severity == "error"]


def chain(*blocks: dict) -> dict:
    ids = [block["id"] for block in blocks]
    return quickstart(deployments=[], graph={"blocks": list(blocks), "connections": [
        [a, "out", b, "in"] for a, b in zip(ids, ids[1:])]})


def test_a_wire_between_different_types_is_mended_by_a_block_or_by_a_type() -> None:
    project = chain({"id": "source", "type": "null_source", "parameters": {"item_type": "f32"}},
                    {"id": "limit", "type": "head"},
                    {"id": "sink", "type": "null_sink", "parameters": {"item_type": "i16"}})
    [fault] = errors(project)
    assert [fix.title for fix in fault.fixes] == ["Put float_to_integer between", "Make sink f32", "Make source i16"]
    for fix in fault.fixes:
        assert not errors(mended(project, fix)), fix.title


def test_a_type_that_moves_the_fault_elsewhere_is_no_correction() -> None:
    """Use a source whose other reader needs its present type."""
    project = chain({"id": "source", "type": "null_source", "parameters": {"item_type": "i16"}},
                    {"id": "power", "type": "complex_to_mag_squared"}, {"id": "sink", "type": "null_sink"})
    [fault] = errors(project)
    assert [fix.title for fix in fault.fixes] == ["Make source c64"]
    project["graph"]["connections"].append(["source", "out", "other", "in"])
    project["graph"]["blocks"].append({"id": "other", "type": "short_to_char"})
    project["graph"]["connections"].append(["other", "out", "end", "in"])
    project["graph"]["blocks"].append({"id": "end", "type": "null_sink"})
    [fault] = errors(project)
    assert fault.code == "E_TYPE_MISMATCH" and not fault.fixes


def test_an_unknown_name_can_be_defined() -> None:
    project = quickstart(parameters={"stages": {"value": 2}, "gain": {"value": 2}},
                         run={"items": {"expr": "1000 * gian"}})
    [fault] = errors(project)
    assert [fix.title for fix in fault.fixes] == ["Use gain", "Define the parameter gian"]
    for fix in fault.fixes:
        assert not errors(mended(project, fix))
    project["run"]["items"] = {"expr": "squrt(4)"}
    [fault] = errors(project)
    assert [fix.title for fix in fault.fixes] == ["Use sqrt"]


def test_a_limit_takes_the_place_of_a_number_and_not_of_an_expression() -> None:
    project = quickstart(parameters={"stages": {"value": 2}, "few": {"value": -3}}, run={"items": -3})
    assert [fix.what for d in errors(project) for fix in d.fixes] == [0]
    project["run"]["items"] = {"expr": "few"}
    [fault] = errors(project)
    assert fault.code == "E_VALUE_RANGE" and not fault.fixes


def test_only_a_whole_word_is_corrected() -> None:
    assert diagnostic("E_PARAMETER_CHOICE", "/a", "m",
                      "did you mean `hann`?").fixes == (Fix("Use hann", "/a", "set", "hann"),)
    assert diagnostic("E_PARAMETER_CHOICE", "/a", "m", "choose one of `a`, `b`").fixes == ()
    assert diagnostic("E_PLACEMENT_INSTANCE", "/a", "m", "did you mean `stage`?").fixes == ()
