"""Test a target in a folder outside the tree, with another language and run protocol: it works like any other."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from graph_reference import digest
from planning import machine
from target_world import NUMPY, TARGETS, answer, copied, small, weir, written
from weir import ROOT
from weir.diagnostics import WeirError
from weir.engine.generation import build
from weir.engine.generation.outside_sources import outside_sources
from weir.machine import environment
from weir.model.catalog import load_catalog
from weir.model.check import Checked, check
from weir.model.document import shape
from weir.model.planning.plan import Plan, make_plan


def test_the_catalog_shows_it_wholly_and_only_with_its_path(capsys) -> None:
    without = answer(capsys, "catalog")
    assert "numpy_app" not in [t["id"] for t in without["targets"]]
    assert "in_order" not in [s["id"] for s in without["schedulers"]]
    whole = answer(capsys, "catalog", "--target-path", TARGETS)
    jsonschema.Draft202012Validator(shape.schema("catalog")).validate(whole)
    found = {t["id"]: t for t in whole["targets"]}["numpy_app"]
    descriptor = json.loads((NUMPY / "target.json").read_text())
    assert found == {**descriptor, "source": str(NUMPY / "target.json"), "schedulers": ["in_order"],
                     "blocks": [block["id"] for block in whole["blocks"]]}
    schedulers = {s["id"]: s for s in whole["schedulers"]}
    assert schedulers["in_order"]["targets"] == ["numpy_app"]
    assert schedulers["in_order"]["source"] == str(NUMPY / "schedulers" / "in_order" / "in_order.py")
    assert schedulers["flow"]["targets"] == without["schedulers"][0]["targets"] == ["cpp_app"]
    assert whole["defaults"] == without["defaults"]
    assert answer(capsys, "catalog", "in_order", "--target-path", TARGETS)["schedulers"][0]["targets"] == ["numpy_app"]
    assert weir("catalog", "--target-path", TARGETS / "nowhere") == 3


def found(document: dict, *targets: Path, blocks: tuple = ()) -> list[tuple[str, str]]:
    said = check(json.dumps(document), target_paths=targets, block_paths=blocks).diagnostics
    return [(d.code, d.pointer) for d in said]


def test_what_it_cannot_use_is_reported_by_validate(tmp_path: Path) -> None:
    def deployed(**deployment: object) -> dict:
        return small(deployments=[{"name": "d", "scheduler": "in_order", **deployment}])

    assert found(small(), TARGETS) == []
    at = "/deployments/0"
    assert found(small()) == [("E_SCHEDULER_UNKNOWN", f"{at}/scheduler")]
    assert found(deployed(scheduler="flow", target="numpy_app"), TARGETS) == [("E_TARGET_SCHEDULER", f"{at}/target")]
    assert found(deployed(target="cpp_app"), TARGETS) == [("E_TARGET_SCHEDULER", f"{at}/target")]
    assert found(deployed(target="numpy"), TARGETS) == [("E_TARGET_UNKNOWN", f"{at}/target")]
    for setting, place in (({"chunk_items": 64}, "chunk_items"), ({"affinity": {"w0": [0]}}, "affinity"),
                           ({"memory": {"lock": True}}, "memory"), ({"build": {"march": "native"}}, ""),
                           ({"build": {"optimisation": "O2"}}, "build/optimisation")):
        assert found(deployed(**setting), TARGETS) == [("E_TARGET_SETTING", f"{at}/{place}")] * bool(place)
    block = Path(shutil.copytree(ROOT / "block-library" / "flow" / "copy", tmp_path / "mine"))
    file = block / "block.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "id": "mine"}))
    (block / "reference.py").unlink()
    assert found(small(block="mine"), TARGETS, blocks=(tmp_path,)) == [("E_TARGET_BLOCK", f"{at}/scheduler")]
    asked = small(run={"items": 10, "trace": {"backend": "lttng"}})
    assert found(asked, TARGETS) == [("W_TARGET_RUN", f"{at}/scheduler")]
    both = small(deployments=[{"name": "np", "scheduler": "in_order"}, {"name": "cpp", "scheduler": "flow"}])
    assert found(both, TARGETS) == [("W_FEW_LATENCIES", "/run/items")]  # if some program measures latencies
    said = check(json.dumps(deployed(scheduler="flow", target="numpy_app")), target_paths=[TARGETS]).diagnostics
    assert said[-1].hint == "this target supports `in_order`"


def test_whose_target_a_deployment_has_that_names_none(tmp_path: Path) -> None:
    """Expect the first that can run its scheduler, Weir's own before others; or the one that the scheduler names."""
    mine = copied(tmp_path, "a_target")
    shutil.rmtree(mine / "schedulers")
    facts = json.loads((NUMPY / "schedulers" / "in_order" / "scheduler.json").read_text())
    for name, more in (("some", {}), ("its_own", {"target": "a_target"})):
        folder = tmp_path / "schedulers" / name
        folder.mkdir(parents=True)
        (folder / "scheduler.json").write_text(json.dumps({**facts, "id": name, **more}))
        (folder / f"{name}.py").write_text("")
        (folder / f"{name}.hpp").write_text("")
    catalog = load_catalog(scheduler_paths=[tmp_path / "schedulers"], target_paths=[TARGETS, tmp_path])
    assert [t.id for t in catalog.targets_of(catalog.schedulers["some"])] == ["cpp_app", "numpy_app", "a_target"]
    assert [catalog.target_for(name) for name in ("some", "its_own", "in_order", "none")] == [
        "cpp_app", "a_target", "numpy_app", ""]
    said = check(json.dumps(small(deployments=[{"name": "d", "scheduler": "its_own"}])), catalog=catalog)
    assert said.project.deployments[0].target == "a_target"


def test_another_target_on_the_command_line_is_checked_too(tmp_path: Path, capsys) -> None:
    file = written(tmp_path, small())
    assert weir("generate", file, "--target-path", TARGETS, "--target", "cpp_app", "-o", tmp_path / "made") == 1
    assert "E_TARGET_SCHEDULER" in capsys.readouterr().err and not (tmp_path / "made").exists()


def test_it_is_generated_built_run_verified_and_done_again(alone: Path, capsys) -> None:
    mine, file = copied(alone / "targets"), written(alone, small())
    path = ("--target-path", mine.parent)
    plan = answer(capsys, "plan", file, *path)
    assert (plan["target"], plan["trace"]["backend"]) == ("numpy_app", "off")
    assert weir("generate", file, *path, "-o", alone / "made") == 0
    assert {"main.py", "app/engine.py", "schedulers/in_order.py", "blocks/head/reference.py"} <= {
        str(p.relative_to(alone / "made")) for p in (alone / "made").rglob("*.py")}
    [result] = answer(capsys, "run", file, *path, "--out", alone / "runs")
    assert (result["status"], result["reasons"]) == ("ok", [])
    assert result["verification"]["ok"] and result["verification"]["reference"] == "numpy"
    wanted = f"{digest((2 * (np.arange(5000) % 1021)).astype(np.float32)):016x}"
    assert result["sinks"] == [{"id": "sink", "items": 5000, "expected": None, "digest": wanted}]
    assert result["throughput_items_per_s"] > 0 and result["latency"] is result["speed_check"] is None
    assert [b["items_out"] for b in result["blocks"]] == [5000, 5000, 5000, None]
    [run] = (alone / "runs").iterdir()
    sources = {str(p.relative_to(run / "sources" / "targets" / "numpy_app"))
               for p in (run / "sources" / "targets").rglob("*") if p.is_file()}
    assert sources == {str(p.relative_to(mine)) for p in mine.rglob("*") if p.is_file()}
    shutil.rmtree(mine.parent)
    assert weir("reproduce", run, "--out", alone / "again") == 2 and not (alone / "again").exists()
    assert f"--target-path {run / 'sources' / 'targets'}" in capsys.readouterr().err
    for granted in (("--trust",), ("--target-path", TARGETS)):
        [again] = answer(capsys, "rerun", run, "--out", alone / "again", *granted)
        assert again["same"] == {"plan": True, "sources": True, "binary": True} and again["status"] == "ok"
    (run / "sources" / "targets" / "numpy_app" / "view.py").write_text("")
    assert weir("reproduce", run, "--trust") == 4 and "was changed after the run" in capsys.readouterr().err


def test_sources_in_folders_and_behind_links_are_kept_with_a_run(alone: Path, capsys) -> None:
    """Use a scheduler with its code in a folder; its folder, that of the target and the parent are links."""
    code = {"from": "scheduler", "files": ["**/*.py"], "to": "schedulers"}
    copies = [it for it in json.loads((NUMPY / "target.json").read_text())["copies"] if it["from"] != "scheduler"]
    target = copied(alone / "away", "mine", copies=[*copies, code], needs={"scheduler": ["py/{id}.py"]})
    (target / "schedulers" / "in_order").rename(alone / "away" / "scheduler")
    scheduler = alone / "away" / "scheduler"
    (scheduler / "py").mkdir()
    (scheduler / "in_order.py").rename(scheduler / "py" / "in_order.py")
    for link, to in (("targets/mine", target), ("real/in_order", scheduler), ("schedulers", alone / "real")):
        (alone / link).parent.mkdir(exist_ok=True)
        (alone / link).symlink_to(to)
    file, out = written(alone, small()), ("--out", alone / "runs")
    [result] = answer(capsys, "run", file, "--target-path", alone / "targets", "--scheduler-path", alone / "schedulers",
                      *out)
    assert result["status"] == "ok"
    [run] = (alone / "runs").iterdir()
    kept = json.loads((run / "run.json").read_text())["kept"]
    assert "schedulers/in_order/py/in_order.py" in kept and "targets/mine/engine.py" in kept
    shutil.rmtree(alone / "away")
    [again] = answer(capsys, "rerun", run, "--trust", "--out", alone / "again")
    assert again["same"] == {"plan": True, "sources": True, "binary": True}


def planned(targets: Path) -> tuple[Plan, Checked]:
    it = check(json.dumps(small()), target_paths=[targets])
    return make_plan(it.project, it.graph, it.catalog, machine("two_core"), it.project.deployment(None)).plan, it


@pytest.mark.parametrize(("name", "size"), [("a\nb", 1), (os.fsdecode(b"\xff.txt"), 1), ("large", 16 * 2 ** 20 + 1)])
def test_what_a_run_cannot_keep_is_reported(name: str, size: int, tmp_path: Path) -> None:
    with (copied(tmp_path) / name).open("wb") as file:
        file.truncate(size)
    plan, it = planned(tmp_path)
    with pytest.raises(WeirError, match="a run cannot keep"):
        outside_sources(plan, it.catalog)


@pytest.mark.parametrize("file", ["toolchain.py", "helps/flags.py"])
def test_its_programs_are_built_again_where_its_code_was_edited(file: str, tmp_path: Path) -> None:
    def key() -> str:
        plan, it = planned(tmp_path)
        tools = build._site(plan, it.project, it.catalog, print, False).tools
        return build.build_key({"main.py": b"the same"}, tools)

    mine = copied(tmp_path)
    before = key()
    assert key() == before
    (mine / file).parent.mkdir(exist_ok=True)
    with (mine / file).open("a") as code:
        code.write("\nFLAGS = ()\n")
    assert key() != before


def test_its_programs_are_verified(alone: Path, capsys) -> None:
    """Use a target that loses the last item of every block."""
    engine = copied(alone / "targets") / "engine.py"
    text = engine.read_text()
    engine.write_text(text.replace("self.streams[name] = items", "self.streams[name] = items[:-1]"))
    assert engine.read_text() != text
    [result] = answer(capsys, "run", written(alone, small()), "--target-path", alone / "targets",
                      "--out", alone / "runs", code=4)
    assert result["status"] == "invalid" and result["reasons"][0]["code"] == "E_VERIFY"


def test_how_its_programs_end(alone: Path, capsys) -> None:
    path = ("--target-path", copied(alone / "targets").parent, "--out", alone / "runs")
    file = written(alone, small(run={"items": 5000, "warmup_items": 10, "timeout_s": 1e-9}))
    [late] = answer(capsys, "run", file, *path, code=4)
    assert (late["status"], late["reasons"][0]["code"]) == ("timeout", "E_TIMEOUT")
    assert late["throughput_items_per_s"] is None
    assert weir("run", file, *path, "--param", "gain.constant=x") == 2
    assert "E_USAGE" in capsys.readouterr().err
    [changed] = answer(capsys, "run", written(alone, small()), *path, "--param", "gain.constant=3", "--items", "7")
    assert changed["parameters"] == {"limit.items": 0, "gain.constant": 3} and changed["sinks"][0]["items"] == 7


def test_the_times_of_an_emulator_are_refused(alone: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "emulated_on", lambda: "pdp11")
    [result] = answer(capsys, "run", written(alone, small()), "--target-path", copied(alone / "targets").parent,
                      "--out", alone / "runs", code=4)
    assert result["status"] == "invalid" and "E_EMULATED" in {it["code"] for it in result["reasons"]}
    assert result["verification"]["ok"]  # its output is right all the same


def test_a_block_that_cannot_be_loaded_is_named(alone: Path, capsys) -> None:
    block = Path(shutil.copytree(ROOT / "block-library" / "flow" / "copy", alone / "blocks" / "mine"))
    file = block / "block.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "id": "mine"}))
    (block / "reference.py").write_text("import numpy\nimport nothing\n")
    assert weir("generate", "--build", written(alone, small(block="mine")), "--target-path", TARGETS, "--block-path",
                alone / "blocks") != 0
    error = capsys.readouterr().err
    assert "/graph/blocks/2: error E_BLOCK_BUILD" in error and f"{block / 'reference.py'}:2: ModuleNotFound" in error


def test_the_page_shows_the_facts_that_are_tested() -> None:
    page = (ROOT / "docs" / "write-a-target.md").read_text()
    [(name, text)] = re.findall(r"<!-- file: (\S+) -->\n```json\n(.*?)```", page, re.DOTALL)
    assert ROOT / name == NUMPY / "target.json" and text == (NUMPY / "target.json").read_text()
    for key in set(shape.schema("target")["properties"]) - {"format", "id", "title", "documentation"}:
        assert f"`{key}`" in page or f'"{key}": "own"' in page, key
