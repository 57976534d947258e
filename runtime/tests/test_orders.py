"""Memory orders: a store that is weaker than the argument against lost wake-ups needs must be caught, in the runtime's
own code (`litmus.cpp`) and in a model of it (`test_models.py`). `seq_cst_accesses.py` ties the two to the sources.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

import pytest
from seq_cst_accesses import ACCESSES, CASES, MUTANTS, Access
from spoilt_runtime import RUNTIME, Build
from test_models import CHECKS

SEQ_CST = "std::memory_order_seq_cst"
PROBE, MISSED = "litmus", 1
#: A weakened store or fence is found within some thousand rounds, which is a few times the rounds of a case.
PATIENCE = 200
IS_X86 = platform.machine() in ("x86_64", "AMD64", "i686")

two_cores = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="two threads meet on two cores; here is one")


def missed_in(program: Path, case: str, times: int) -> int:
    """The round in which two threads missed each other; 0: in none."""
    done = subprocess.run([str(program), case, str(times)], capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode in (0, MISSED), f"{case}: exit {done.returncode}"
    return int(done.stdout.split()[-1]) if done.returncode == MISSED else 0


def test_the_table_has_every_seq_cst_access_of_the_runtime() -> None:
    listed: dict[str, int] = {}
    for access in ACCESSES:
        text = (RUNTIME / access.file).read_text()
        assert SEQ_CST in access.line
        assert text.count(access.line) == 1, f"{access.file} must have this exactly once: {access.line}"
        listed[access.file] = listed.get(access.file, 0) + 1
    found = {str(file.relative_to(RUNTIME)): file.read_text().count(SEQ_CST)
             for folder in ("include", "src", "schedulers") for file in (RUNTIME / folder).rglob("*.[ch]pp")}
    assert {file: count for file, count in found.items() if count} == listed


def test_what_the_table_names_exists() -> None:
    known = {(check.model, *check.options.split()) for check in CHECKS if check.finds}
    for access in ACCESSES:
        assert bool(access.models) != bool(access.otherwise), access.name
        for name in access.models:
            model, *options = name.split()
            assert any(check[0] == model and set(options) <= set(check[1:]) for check in known), name
    cases = re.findall(r'\{"(\w+)", hammer<', (RUNTIME / "tests/litmus.cpp").read_text())
    assert sorted(cases) == sorted(CASES)


@two_cores
def test_a_weakened_store_makes_two_threads_miss_each_other(build: Build) -> None:
    """All stores are weakened at once, for the sake of time: each case has but one of them."""
    whole = build.whole(PROBE)
    for case in CASES:
        assert not missed_in(whole, case, 1), f"{case}: a wake-up is lost"
    if not IS_X86:
        pytest.skip("a released store is followed by a seq_cst load as a seq_cst one is, on most machines but x86")
    weakened = build.spoilt(PROBE, "all_weakened", *(access.weakened for access in MUTANTS))
    for case in CASES:
        assert missed_in(weakened, case, PATIENCE), f"{case}: a weakened store is not caught"


@two_cores
@pytest.mark.skipif("WEIR_STRESS" not in os.environ, reason="a build each: only run by weir test --all")
@pytest.mark.skipif(not IS_X86, reason="shows on x86 only")
@pytest.mark.parametrize("access", MUTANTS, ids=lambda access: access.name)
def test_each_weakened_store_is_caught_by_its_cases_alone(build: Build, access: Access) -> None:
    weakened = build.spoilt(PROBE, access.name, access.weakened)
    for case in CASES:
        if case in access.litmus:
            assert missed_in(weakened, case, PATIENCE), f"{case}: a weakened store is not caught"
        else:
            assert not missed_in(weakened, case, 1), f"{case} has nothing to do with {access.name}"
