"""Test `kernels: linked`: blocks call their work in a library that was compiled once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from planning import machine
from target_world import weir
from weir import ROOT
from weir.diagnostics import WeirError
from weir.model.check import check
from weir.model.document import shape
from weir.model.planning.plan import make_plan

EXAMPLE = ROOT / "examples" / "diamond.weir.json"


def project(folder: Path, **deployment: object) -> Path:
    document = json.loads(EXAMPLE.read_text())
    document["deployments"] = [{"name": "mine", "scheduler": "flow", **deployment}]
    file = folder / "mine.weir.json"
    file.write_text(json.dumps(document))
    return file


def test_the_flowgraph_has_the_declarations_and_the_library_the_work(tmp_path: Path) -> None:
    assert weir("generate", project(tmp_path, kernels="linked"), "-o", tmp_path / "out") == 0
    flowgraph = (tmp_path / "out" / "src" / "flowgraph.hpp").read_text()
    assert ("weir::Node<weir::Linked<weir::blocks::Add<float>>>" in flowgraph
            and "weir::Node<weir::blocks" not in flowgraph)
    kernels = (tmp_path / "out" / "src" / "kernels.cpp").read_text()
    assert kernels.count("template struct weir::Linked<") == len({line for line in kernels.splitlines()
                                                                  if "Linked<" in line})
    assert "template struct weir::Linked<weir::blocks::Add<float>>;" in kernels
    plan = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert plan["implementation"] == {"blocks": "shared", "kernels": "linked"} and not shape.check_shape(plan, "plan")


def test_it_is_inlined_unless_somebody_asks(tmp_path: Path) -> None:
    assert weir("generate", project(tmp_path), "-o", tmp_path / "out") == 0
    assert not (tmp_path / "out" / "src" / "kernels.cpp").exists()
    assert "implementation" not in json.loads((tmp_path / "out" / "plan.json").read_text())


def test_a_loop_of_several_blocks_has_no_kernel_to_link() -> None:
    document = json.loads((ROOT / "examples" / "saxpy_chain.weir.json").read_text())
    document["deployments"] = [{"name": "mine", "scheduler": "fused", "kernels": "linked"}]
    checked = check(json.dumps(document))
    with pytest.raises(WeirError) as raised:
        make_plan(checked.project, checked.graph, checked.catalog, machine("two_core"))
    (told,) = raised.value.diagnostics
    assert (told.code, told.pointer) == ("E_KERNELS_FUSED", "/deployments/0/kernels")


def test_what_a_runtime_cannot_do_is_named(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = project(tmp_path, scheduler="gnuradio310", memory={"lock": True, "hugepages": True, "numa": 0})
    assert weir("validate", file) == 0
    said = capsys.readouterr()
    for place in ("hugepages", "numa"):
        assert (f"/deployments/0/memory/{place}: warning W_TARGET_SETTING: target `gnuradio3` ignores "
                "this setting: GNU Radio allocates the buffers") in said.out + said.err
    assert "memory/lock" not in said.out + said.err


def test_a_target_that_inlines_alone_says_so(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    document = json.loads(EXAMPLE.read_text())
    document["deployments"] = [{"name": "mine", "scheduler": "qsdr_custom", "kernels": "inlined", "blocks": "native"}]
    file = tmp_path / "mine.weir.json"
    file.write_text(json.dumps(document))
    assert weir("validate", file) == 1
    said = capsys.readouterr()
    assert "/deployments/0/kernels: error E_TARGET_SETTING" in said.out + said.err
    assert "/deployments/0/blocks: error E_TARGET_SETTING" in said.out + said.err
