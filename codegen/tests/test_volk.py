"""Test VOLK kernels that a deployment requests: in its plan, in the program, and missing ones."""

from __future__ import annotations

import json
import re

import pytest
from planning import chain, deployed, generated, plan, project
from weir import cli
from weir.cli import main
from weir.diagnostics import WeirError
from weir.engine.measuring.volk import implementations
from weir.engine.pipeline import Pipeline
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document.deployment import Deployment, Volk
from weir.model.planning.volk import called, check_implementations, off

ADD, MULTIPLY, COMPLEX = "volk_32f_x2_add_32f", "volk_32f_s32f_multiply_32f", "volk_32fc_s32fc_multiply_32fc"
HAS = {ADD: ("generic", "a_avx", "u_avx"), MULTIPLY: ("generic", "u_sse")}


def scaled(item_type: str = "f32", **deployment) -> dict:
    """Return a source, its product with a constant, and the sum of that product with itself."""
    return deployed(project(
        [{"id": "source", "type": "counter_source", "parameters": {"item_type": item_type}},
         {"id": "limit", "type": "head"}, {"id": "scale", "type": "multiply_const", "parameters": {"constant": 2}},
         {"id": "twice", "type": "add"}, {"id": "sink", "type": "digest_sink"}],
        ["source.out > limit.in", "limit.out > scale.in", "scale.out > twice.in0", "scale.out > twice.in1",
         "twice.out > sink.in"]), **deployment)


def sources(document: dict) -> dict[str, str]:
    files = generated(document)
    return {name: text.decode() for name, text in files.items() if name.endswith((".hpp", ".txt", ".cpp"))}


def told(document: dict) -> str:
    """Return what the program requests of VOLK, on one line."""
    text = sources(document)["src/flowgraph.hpp"]
    found = re.search(r"return weir::volk_library\((.*?)\);", text, re.DOTALL)
    return re.sub(r"\s+", "", found[1]) if found else ""


def test_the_kernels_are_those_of_the_item_types() -> None:
    assert told(scaled()) == f'"",{{WEIR_VOLK_KERNEL({MULTIPLY},""),WEIR_VOLK_KERNEL({ADD},""),}}'
    assert COMPLEX in told(scaled("c64")) and MULTIPLY not in told(scaled("c64"))
    assert told(scaled("i16")) == "" and ".volk" not in sources(scaled("i16"))["src/flowgraph.hpp"]
    assert ".volk = volk_kernels()," in sources(scaled())["src/flowgraph.hpp"]


def test_requests_reach_the_program_and_the_plan() -> None:
    document = scaled(volk={"implementation": "avx", "kernels": {ADD: "generic"}})
    assert told(document) == f'"avx",{{WEIR_VOLK_KERNEL({MULTIPLY},""),WEIR_VOLK_KERNEL({ADD},"generic"),}}'
    assert plan(document).plan.as_json()["volk"] == {"implementation": "avx", "kernels": {ADD: "generic"}}
    assert "volk" not in plan(scaled()).plan.as_json()


def test_auto_is_the_default_and_lets_volk_choose_for_one_kernel() -> None:
    assert plan(scaled(volk={"implementation": "auto"})).plan.hash == plan(scaled()).plan.hash
    assert plan(scaled(volk={"kernels": {ADD: "auto"}})).plan.hash == plan(scaled()).plan.hash
    document = scaled(volk={"implementation": "off", "kernels": {ADD: "auto"}})
    assert told(document) == f'"off",{{WEIR_VOLK_KERNEL({ADD},"auto"),}}'


@pytest.mark.parametrize("volk, flag, left", [
    ({}, None, [MULTIPLY, ADD]),
    ({"implementation": "off"}, "-DWEIR_VOLK_OFF=all", []),
    ({"kernels": {ADD: "off"}}, f"-DWEIR_VOLK_OFF={ADD}", [MULTIPLY]),
    ({"kernels": {ADD: "off", MULTIPLY: "off"}}, "-DWEIR_VOLK_OFF=all", []),
    ({"implementation": "off", "kernels": {ADD: "generic"}}, f"-DWEIR_VOLK_OFF={MULTIPLY}", [ADD]),
])
def test_what_is_off_is_not_compiled(volk: dict, flag: str | None, left: list[str]) -> None:
    document = scaled(volk=volk)
    assert [name for name in (MULTIPLY, ADD) if name in told(document)] == left
    text = sources(document)
    flags = re.search(r"target_compile_options\(flowgraph .*\)", text["CMakeLists.txt"])[0]
    assert (flag in flags) if flag else "WEIR_VOLK_OFF" not in text["CMakeLists.txt"]
    assert (flag or "") in re.search(r"\.build_flags = (.*)", text["src/flowgraph.hpp"])[1]
    if not left:
        assert '.volk = {.implementation = "off"},' in text["src/flowgraph.hpp"]


@pytest.mark.parametrize("item_type, volk, kernels", [
    ("f32", {}, {MULTIPLY: "", ADD: ""}),
    ("f32", {"implementation": "avx", "kernels": {ADD: "sse"}}, {MULTIPLY: "", ADD: "sse"}),
    ("f32", {"implementation": "off"}, {MULTIPLY: "generic", ADD: "generic"}),
    ("f32", {"kernels": {ADD: "off"}}, {MULTIPLY: "", ADD: "generic"}),
    ("c64", {"implementation": "off"}, {COMPLEX: "generic", "volk_32fc_x2_add_32fc": "generic"})])
def test_gnu_radios_own_blocks_call_generic_code_where_volk_is_off(item_type: str, volk: dict, kernels: dict) -> None:
    document = scaled(item_type, scheduler="gnuradio310", blocks="native", volk=volk)
    assert dict(re.findall(r'WEIR_VOLK_KERNEL\((\w+),"(\w*)"\)', told(document))) == kernels
    assert told(document).startswith(f'"{volk.get("implementation", "")}",')
    assert check(json.dumps(document)).diagnostics == ()


def test_of_a_mixed_graph_the_shared_blocks_have_no_kernel_where_volk_is_off() -> None:
    document = scaled(scheduler="gnuradio310", blocks="native", volk={"implementation": "off"})
    document["graph"]["blocks"][2]["probe"] = True
    assert re.findall(r"KERNEL\((\w+)", told(document)) == [ADD]


def test_blocks_of_a_runtime_without_volk_ignore_the_setting() -> None:
    said = check(json.dumps(scaled(scheduler="futuresdr_flow", blocks="native", volk={"implementation": "off"})))
    assert [(it.code, it.pointer) for it in said.diagnostics] == [("W_TARGET_SETTING", "/deployments/0/volk")]


def test_a_kernel_that_no_block_calls_is_reported_with_its_place() -> None:
    [fault] = check(json.dumps(scaled(volk={"kernels": {"volk_32f_x2_ad_32f": "avx"}}))).diagnostics
    assert (fault.code, fault.pointer) == ("E_VOLK_KERNEL", "/deployments/0/volk/kernels/volk_32f_x2_ad_32f")
    assert ADD in fault.hint


def test_a_graph_without_kernels_is_told_so() -> None:
    said = check(json.dumps(deployed(chain(), volk={"implementation": "generic"}))).diagnostics
    assert [(it.code, it.pointer) for it in said] == [("W_VOLK_UNUSED", "/deployments/0/volk")]


def faults(**volk) -> list[tuple[str, str]]:
    found = check_implementations(Deployment("d", "flow", volk=Volk(**volk), pointer="/deployments/0"), HAS)
    return [(it.pointer, it.hint) for it in found]


def test_implementations_that_this_machine_lacks() -> None:
    for name in ("", "auto", "off", "generic", "avx", "a_avx", "u_avx", "sse"):
        assert faults(implementation=name) == [], name
    assert faults(implementation="avx2") == [("/deployments/0/volk/implementation", "did you mean `avx`?")]
    [(place, hint)] = faults(implementation="neon_long")
    assert hint == "choose one of `auto`, `avx`, `generic`, `off`, `sse`"
    assert faults(kernels={ADD: "avx", MULTIPLY: "off"}) == faults(kernels={ADD: "auto"}) == []
    [(place, hint)] = faults(implementation="avx", kernels={MULTIPLY: "avx"})
    assert place == f"/deployments/0/volk/kernels/{MULTIPLY}" and "`generic`, `off`, `sse`" in hint


def test_a_run_is_refused_before_anything_is_built(tmp_path) -> None:
    path = tmp_path / "p.weir.json"
    path.write_text(json.dumps(scaled(volk={"implementation": "avx9000"})))
    with pytest.raises(WeirError) as refused:
        Pipeline.open(path).plan_to_run()
    [fault] = [it for it in refused.value.diagnostics if it.severity == "error"]
    assert (fault.code, fault.pointer) == ("E_VOLK_IMPLEMENTATION", "/deployments/0/volk/implementation")


def test_a_sweep_says_which_value_it_is_and_what_leaves_it_out(tmp_path, capsys) -> None:
    path = tmp_path / "p.weir.json"
    path.write_text(json.dumps({**scaled(), "sweeps": [
        {"name": "all", "vary": {"volk": ["generic", "avx9000"], "chunk_items": [256, 512]}}]}))
    words = ["sweep", str(path), "--dry-run", "--json", "--out", str(tmp_path / "out")]
    assert main(words) == 3
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert {(it["code"], it["pointer"]) for it in found} == {("E_VOLK_IMPLEMENTATION", "/sweeps/0/vary/volk/1")}
    assert all(it["hint"].endswith("(--fitting leaves out the points that this machine cannot run)") for it in found)
    assert main([*words, "--fitting"]) == 0
    answer, said = capsys.readouterr()
    assert len(json.loads(answer)["points"]) == 2
    assert [line for line in said.splitlines() if "left out" in line] == [
        "weir: left out: 2 points: VOLK has no implementation `avx9000` of any kernel that this flowgraph calls on "
        "this machine"]


def test_every_kernel_of_the_library_is_one_of_volk_with_its_generic_code() -> None:
    kernels = {kernel for block in load_catalog().blocks.values() for kernel in block.kernels}
    found = implementations(sorted(kernels))
    assert set(found) == kernels and len(kernels) > 20
    assert all("generic" in names for names in found.values())
    assert implementations(["volk_32f_x2_unheard_of_32f"]) == {}


def test_the_catalog_answers_with_the_implementations_of_its_kernels(capsys: pytest.CaptureFixture) -> None:
    def answer(*words: str) -> dict:
        assert cli.main(["catalog", *words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)["volk"]

    kernels = {kernel for block in load_catalog().blocks.values() for kernel in block.kernels}
    assert answer() == {kernel: list(names) for kernel, names in implementations(kernels).items()}
    assert list(answer("add")) == [ADD] and answer("schedulers") == {}


def test_kernels_are_off_together_or_by_name() -> None:
    assert off(Volk(), [ADD]) == [] and off(Volk("off"), [ADD, MULTIPLY]) == ["all"]
    assert off(Volk("off", {ADD: "avx"}), [ADD, MULTIPLY]) == [MULTIPLY]
    assert off(Volk("off"), []) == []
    block = load_catalog().blocks["multiply"]
    assert called([(block, "f32"), (block, "f32")]) == ["volk_32f_x2_multiply_32f"]
    assert called([(block, "i8")]) == []


@pytest.mark.parametrize("scheduler", ["static", "fused", "replicated"])
def test_periods_end_aligned_where_chunks_are_large_enough(scheduler: str) -> None:
    def calls(**deployment) -> dict[str, int]:
        made = plan(deployed(chain(kind="multiply_const"), scheduler=scheduler, workers=1, **deployment)).plan.as_json()
        return {it["instance"]: it["chunk_items"] for it in made["blocks"]}

    assert set(calls(chunk_items=1000).values()) == {1000}
    assert set(calls(chunk_items=1000, alignment=True).values()) == {992}, "62 lines of 16 items"
    assert set(calls(chunk_items=10, alignment=True).values()) == {10}, "less than a line"


def test_alignment_is_of_targets_that_cut_their_calls_themselves() -> None:
    made = sources(scaled(alignment=True))["src/flowgraph.hpp"]
    assert ".alignment = true," in made and ".alignment" not in sources(scaled())["src/flowgraph.hpp"]
    [fault] = check(json.dumps(scaled(scheduler="gnuradio310", alignment=True))).diagnostics
    assert (fault.code, fault.pointer) == ("E_TARGET_SETTING", "/deployments/0/alignment")



def test_it_can_be_set_where_the_project_says_nothing_of_it() -> None:
    def volk(place: str) -> tuple[dict, list[str]]:
        it = check(json.dumps(scaled()), sets={place: "generic"})
        return it.project and it.project.deployments[0].volk, [fault.code for fault in it.diagnostics]

    assert volk("/deployments/0/volk/implementation") == (Volk("generic"), [])
    assert volk("/deployments/1/volk/implementation")[1] == ["E_SET_UNKNOWN"]
    assert volk("/deployments/0/vol/implementation")[1] == ["E_KEY_UNKNOWN"]
