"""Run real programs under every VOLK implementation of this machine: the reported kernels are right, the results equal.
"""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache
from pathlib import Path

import pytest
from planning import UNOPTIMISED
from weir.engine.measuring.volk import implementations
from weir.engine.pipeline import Pipeline

#: Values whose products and sums are exact, so every implementation gives the same bits.
KERNELS = ("volk_16i_convert_8i", "volk_32f_s32f_multiply_32f", "volk_32f_x2_add_32f", "volk_8i_s32f_convert_32f")
HERE = implementations(KERNELS)


def document(scheduler: str = "flow", **deployment) -> dict:
    """Return a project: shorts to bytes to floats, scaled and added to themselves, with random chunks."""
    blocks = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "i16"}},
              {"id": "limit", "type": "head"}, {"id": "cut", "type": "copy_rand", "parameters": {"max_copy": 500}},
              {"id": "bytes", "type": "short_to_char"}, {"id": "floats", "type": "integer_to_float"},
              {"id": "scale", "type": "multiply_const", "parameters": {"constant": 0.5}},
              {"id": "twice", "type": "add"}, {"id": "sink", "type": "digest_sink"}]
    names = [it["id"] for it in blocks]
    wires = [[a, "out", b, "in"] for a, b in zip(names[:-2], names[1:-2])]
    wires += [["scale", "out", "twice", "in0"], ["scale", "out", "twice", "in1"], ["twice", "out", "sink", "in"]]
    return {"schema_version": 1, "name": "by_volk", "graph": {"blocks": blocks, "connections": wires},
            "deployments": [{"name": "d", "scheduler": scheduler, "build": UNOPTIMISED, **deployment}],
            "run": {"items": 1_000_000, "metrics": "none", "trace": {"backend": "off"}}}


def built(folder: Path, **deployment) -> Path:
    pipeline = Pipeline.open(json.dumps(document(**deployment)).encode(), directory=folder)
    pipeline.valid()
    return pipeline.build(pipeline.plan_to_run().plan).program.files[0]


def results(program: Path, folder: Path, **environment: str) -> dict:
    """Return the results of the program, started directly."""
    ended = subprocess.run([program, "--trace", "off", "--out", folder], capture_output=True, text=True, timeout=60,
                           env={**os.environ, "TMPDIR": str(folder.parent), **environment})
    assert ended.returncode == 0, ended.stderr
    return json.loads((folder / "results.json").read_text())


def kernels(it: dict) -> dict[str, tuple[str, str]]:
    return {kernel["kernel"]: (kernel["aligned"], kernel["unaligned"]) for kernel in it["volk"]["kernels"]}


@cache
def digest_of_own_code(folder: Path) -> str:
    return results(built(folder, volk={"implementation": "off"}), folder / "off")["sinks"][0]["digest"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("volk")


def test_off_has_no_kernel_of_volk_in_the_program(folder):
    program = built(folder, volk={"implementation": "off"})
    assert results(program, folder / "off")["volk"] == {"machine": None, "implementation": "off", "kernels": []}
    assert b"volk_32f" not in program.read_bytes() and b"volk_16i" not in program.read_bytes()


def test_generic_is_called_by_a_program_that_is_started_by_hand_and_answers_the_same(folder):
    program = built(folder, volk={"implementation": "generic"}, alignment=True)
    it = results(program, folder / "generic", VOLK_GENERIC="1", VOLK_CONFIGPATH="/nowhere")
    assert it["volk"]["machine"] and it["volk"]["implementation"] == "generic"
    assert kernels(it) == dict.fromkeys(KERNELS, ("generic", "generic"))
    assert it["sinks"][0]["digest"] == digest_of_own_code(folder)
    assert not list(folder.glob("weir-volk-*")), "its preferences were left behind"


def test_a_profile_is_heeded_and_said_where_nothing_is_requested(folder):
    profile = folder / "profile" / "volk"
    profile.mkdir(parents=True)
    (profile / "volk_config").write_text("volk_32f_x2_add_32f generic generic\n")
    it = results(built(folder), folder / "profiled", VOLK_CONFIGPATH=str(profile.parent))
    assert it["volk"]["implementation"] is None and kernels(it)["volk_32f_x2_add_32f"] == ("generic", "generic")
    assert it["sinks"][0]["digest"] == digest_of_own_code(folder)
    other = kernels(results(built(folder), folder / "plain", VOLK_CONFIGPATH="/nowhere", HOME="/nowhere"))
    assert all(name in HERE[kernel] for kernel, names in other.items() for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("alignment", [False, True])
@pytest.mark.parametrize("scheduler", ["single_thread", "thread_per_block", "work_stealing", "flow"])
@pytest.mark.parametrize("name", sorted({name.removeprefix("a_") for names in HERE.values() for name in names}))
def test_every_implementation_answers_the_same_under_every_scheduler(folder, name, scheduler, alignment):
    it = results(built(folder, scheduler=scheduler, volk={"implementation": name}, alignment=alignment),
                 folder / f"{name}-{scheduler}-{alignment}")
    assert it["status"] == "ok" and it["sinks"][0]["digest"] == digest_of_own_code(folder)
    for kernel, names in kernels(it).items():
        if {name, f"u_{name}"} & set(HERE[kernel]):
            assert {without_kind(one) for one in names} == {without_kind(name)}


def without_kind(name: str) -> str:
    return name[2:] if name[:2] in ("a_", "u_") else name
