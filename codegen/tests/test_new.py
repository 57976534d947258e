"""Test `weir new`: its files are valid, and existing files stay. End-to-end tests build and run them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from planning import EXAMPLES, machine
from target_world import answer, small, written
from weir.cli import main
from weir.diagnostics import has_errors
from weir.engine.generation.emit import generate
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document import jsontext, shape
from weir.model.planning.plan import make_plan


def new(*words: str | Path) -> int:
    return main(["new", *map(str, words)])


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_project_is_valid_and_canonical(tmp_path, capsys):
    assert new("project", "my-first_1", "-o", tmp_path / "deep" / "er") == 0
    file = tmp_path / "deep/er/my-first_1.weir.json"
    assert f"weir run {file}" in capsys.readouterr().out
    text = file.read_text()
    assert jsontext.write(json.loads(text)) == text and json.loads(text)["name"] == "my-first_1"
    checked = check(file)
    assert not has_errors(checked.diagnostics) and checked.graph is not None


@pytest.mark.parametrize(("inputs", "outputs"), [(1, 1), (0, 1), (1, 0), (2, 1), (1, 2), (8, 8), (0, 3), (3, 0)])
def test_a_block_is_in_the_catalog(tmp_path, inputs, outputs):
    assert new("block", "mine", "-o", tmp_path, "--inputs", inputs, "--outputs", outputs) == 0
    block = load_catalog([tmp_path]).blocks["mine"]
    assert (len(block.inputs), len(block.outputs), block.item_types) == (inputs, outputs, ("f32", "c64"))
    assert set(tree(tmp_path)) == {"mine/block.json", "mine/mine.hpp", "mine/reference.py"}
    assert all(len(line) <= 120 for line in block.source.read_text().splitlines())
    text = (tmp_path / "mine/block.json").read_text()
    assert jsontext.write(json.loads(text)) == text


def test_one_item_type_makes_a_block_that_is_no_template(tmp_path):
    assert new("block", "mine", "-o", tmp_path, "--item-type", "i16", "--family", "own") == 0
    block = load_catalog([tmp_path]).blocks["mine"]
    assert block.family == "own" and not block.item_types and block.inputs[0].type == "i16"
    header = block.source.read_text()
    assert "template" not in header and "In<std::int16_t>& in" in header


def test_a_scheduler_is_in_the_catalog(tmp_path):
    assert new("scheduler", "mine", "-o", tmp_path) == 0
    assert load_catalog(scheduler_paths=[tmp_path]).schedulers["mine"].source.is_file()


def test_a_scheduler_with_a_planner_plans_every_example_whose_rates_are_known(tmp_path, capsys):
    assert new("scheduler", "mine", "-o", tmp_path, "--planner") == 0
    catalog = load_catalog(scheduler_paths=[tmp_path])
    planned = 0
    for example in sorted(EXAMPLES.glob("**/*.weir.json")):
        document = {**json.loads(example.read_text()),
                    "deployments": [{"name": "d", "scheduler": "mine", "workers": 2}]}
        checked = check(json.dumps(document), directory=example.parent, catalog=catalog)
        if not has_errors(checked.diagnostics):
            plan = make_plan(checked.project, checked.graph, catalog, machine("two_core")).plan
            planned += len(plan.schedule.worker_schedules) == len(plan.workers)
            assert b"weir::schedulers::Static>" in generate(plan, checked.project, catalog)["src/main.cpp"]
    assert planned >= 3


def test_a_target_is_run_at_once_under_its_own_scheduler(alone, capsys):
    """Run it: the new target refuses what it cannot do and names the line at which its author begins."""
    assert new("target", "class", "-o", alone / "targets") == 0
    path = ("--extensions", alone / "targets")
    assert f"--extensions {alone / 'targets'}" in capsys.readouterr().out
    document = small(items=500, deployments=[{"name": "d", "scheduler": "class"}])
    document["graph"]["blocks"] += [
        {"id": "taken", "type": "keep_one_in_n", "parameters": {"n": 3}}, {"id": "both", "type": "add"},
        {"id": "more", "type": "interpolate", "parameters": {"interpolation": 3}},
        {"id": "file", "type": "file_sink", "parameters": {"path": "made.bin"}}]
    document["graph"]["connections"] += [  # a join that ends with its shorter input
        ["limit", "out", "taken", "in"], ["taken", "out", "more", "in"], ["more", "out", "both", "in0"],
        ["limit", "out", "both", "in1"], ["both", "out", "file", "in"]]
    file = written(alone, document)
    assert answer(capsys, "validate", file, *path)["diagnostics"] == []
    [result] = answer(capsys, "run", file, *path, "--out", alone / "runs")
    assert (result["status"], result["reasons"]) == ("ok", []) and result["verification"]["reference"] == "numpy"
    assert [(sink["id"], sink["items"]) for sink in result["sinks"]] == [("sink", 500), ("file", 498)]
    assert [made.stat().st_size for made in (alone / "runs").glob("*/made.bin")] == [498 * 4]
    for option, said in (("--param=limit.items=5", "unrecognized arguments"),
                         ("--set=/run/items=0", ":/run/items: error E_TARGET_REFUSES: "),
                         ("--set=/graph/blocks/1/parameters={\"items\": 5}",
                          ":/graph/blocks/1/parameters/items: error E_T")):
        assert main(["run", str(file), *map(str, path), option, "--out", str(alone / "runs")]) != 0
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", [("project", "mine"), ("block", "mine", "--item-type", "u8"), ("scheduler", "mine"),
                                   ("target", "mine")],
                         ids=lambda words: words[0])
def test_json_tells_the_files_and_a_second_time_is_refused(tmp_path, capsys, words):
    assert new(*words, "--out", tmp_path, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("new")).validate(answer)
    before = tree(tmp_path)
    assert {str(tmp_path / name) for name in before} == set(answer["files"])
    for name in before:
        (tmp_path / name).write_text("mine alone")
    assert new(*words, "--out", tmp_path) == 3
    assert "E_OUTPUT_EXISTS" in capsys.readouterr().err
    assert set(tree(tmp_path).values()) == {b"mine alone"}


@pytest.mark.parametrize(("words", "code", "told"), [
    (("block", "My_Block"), "E_NAME_INVALID", "lower-case"),
    (("block", "../up"), "E_NAME_INVALID", "lower-case"),
    (("block", "a" * 65), "E_NAME_INVALID", "63"),
    (("block", "in"), "E_USAGE", "`In`"),
    (("block", "t"), "E_USAGE", "`T`"),
    (("scheduler", "run"), "E_USAGE", "`Run`"),
    (("block", "copy"), "E_DESCRIPTOR_DUPLICATE", "`copy`"),
    (("block", "mine", "--family", "../x"), "E_NAME_INVALID", "lower-case"),
    (("block", "mine", "--inputs", "0", "--outputs", "0"), "E_USAGE", "at least one port"),
    (("block", "mine", "--inputs", "9"), "E_USAGE", "0 to 8"),
    (("block", "mine", "--inputs", "-1"), "E_USAGE", "0 to 8"),
    (("block", "mine", "--item-type", "f23"), "E_USAGE", "did you mean `f32`?"),
    (("scheduler", "flow"), "E_DESCRIPTOR_DUPLICATE", "`flow`"),
    (("scheduler", "2fast"), "E_NAME_INVALID", "lower-case"),
    (("target", "cpp_app"), "E_DESCRIPTOR_DUPLICATE", "a target `cpp_app`"),
    (("target", "flow"), "E_DESCRIPTOR_DUPLICATE", "a scheduler `flow`"),
    (("target", "My"), "E_NAME_INVALID", "lower-case"),
    (("project", "My Project"), "E_NAME_INVALID", "lower-case"),
])
def test_what_cannot_be_is_reported_and_nothing_is_written(tmp_path, capsys, words, code, told):
    assert new(*words, "--out", tmp_path / "out") == 2
    said = capsys.readouterr().err
    assert code in said and told in said
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_is_reported(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    for kind in ("project", "block", "scheduler", "target"):
        assert new(kind, "mine", "--out", tmp_path / "file") == 3
        assert "error E_" in capsys.readouterr().err
