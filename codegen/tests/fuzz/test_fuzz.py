"""Give wrong input to every reader: only diagnostics come out, and in time.

`WEIR_FUZZ`=20 (`weir test --all`) means a million inputs. `WEIR_FUZZ_SEED` selects others.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import properties
import pytest
from cpp_text import fault_of
from engine import fuzz, try_input
from fuzz_targets import FUZZ_TARGETS, FuzzTarget, nearly_valid_project
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from weir.model.document import jsontext
from world import World, base_folder

QUICK, A_UNIT = 3000, 50_000


def wanted() -> int:
    return A_UNIT * int(os.environ["WEIR_FUZZ"]) if "WEIR_FUZZ" in os.environ else QUICK


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with base_folder() as base:
        yield World.make(base)


def test_only_diagnostics_come_out(record_property):
    inputs = wanted()
    done = fuzz(inputs, os.environ.get("WEIR_FUZZ_SEED", "0"))
    record_property("fuzz", done.summary())
    assert done.total >= inputs
    assert done.reached["valid"] > inputs / 200, "the inputs do not get far"
    assert inputs < A_UNIT or done.reached["emitted"] > inputs / 10_000, "few inputs become C++"
    assert not done.faults, "\n\n".join(f"replay.py '{f.target}' '{f.seed}'\n{f.traceback}"
                                        for f in done.faults.values())


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large])
@given(st.randoms(use_true_random=False))
def test_projects_by_the_schema(world, dice):
    """Run the property of the fuzz target with hypothesis, which makes the choices and shrinks failing inputs."""
    document = nearly_valid_project(dice, world)
    try:
        data = jsontext.write(document).encode("utf-8", "surrogatepass")
    except ValueError:
        return  # the root is no JSON value
    properties.project(data, world)


def test_an_input_depends_on_its_seed_alone(world):
    for target in FUZZ_TARGETS:
        first, again, other = (target.make(random.Random(seed), world) for seed in ("a", "a", "b"))
        assert repr(first) == repr(again)
        assert repr(first) != repr(other), target.name


def test_a_fault_is_seen(world):
    """Check that the fuzzer sees exceptions, wrong verdicts and endless loops of the code under test."""
    def fails(case: object, world: World) -> None:
        raise KeyError(case)

    def loops(case: object, world: World) -> None:
        while True:
            pass

    assert "KeyError" in try_input(FuzzTarget("x", 1.0, lambda dice, world: 1, fails), "0", world)
    assert "no end" in try_input(FuzzTarget("x", 1.0, lambda dice, world: 1, loops), "0", world, hang_s=0.2)


@pytest.mark.parametrize("text", ['int a = "x;', "f(evil());", '"a" evil', "// x \\\nint a;", "{ ( }", "int a; }", "@",
                                  'R"(x)"', "/* x"])
def test_broken_cpp_is_seen(text):
    assert fault_of(text)


@pytest.mark.parametrize("text", ["", 'f("evil \\" // \\134", 1.5e-3F, {a, -b}); // evil\n/* evil( */ x = 0x1F\'00;\n'])
def test_whole_cpp_is_whole(text):
    assert fault_of(text) == ""
