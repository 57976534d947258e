"""Test that weakening any access that a proof against lost wake-ups needs is detected.

The checks are the runtime's own code (`check_orders.cpp`) and a model of it (`test_models.py`). `seq_cst_accesses.py`
ties both to the sources.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from seq_cst_accesses import ACCESSES, RELEASES, Access
from spoilt_runtime import RUNTIME, Build
from test_models import CHECKS

SEQ_CST = "std::memory_order_seq_cst"
PROBE, FAULT = "check_orders", 1
#: Random executions per case. A weakened access shows within a few hundred.
EXECUTIONS = 500_000 if "WEIR_STRESS" in os.environ else 20_000
CHECKED = [access for access in (*ACCESSES, *RELEASES) if access.check]


def check(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a check, which must exit with 0 or `FAULT`."""
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False, timeout=1800)
    assert done.returncode in (0, FAULT), f"exit {done.returncode}: {done.stderr}{done.stdout[-2000:]}"
    return done


def sources() -> dict[str, str]:
    """Return the text of every runtime file that is compiled into a program."""
    return {str(file.relative_to(RUNTIME)): file.read_text()
            for folder in ("include", "src", "schedulers") for file in (RUNTIME / folder).rglob("*.[ch]pp")}


def test_the_table_has_every_seq_cst_access_of_the_runtime() -> None:
    listed: dict[str, int] = {}
    for access in (*ACCESSES, *RELEASES):
        text = (RUNTIME / access.file).read_text()
        assert text.count(access.text) == 1, f"{access.file} must have this exactly once: {access.text}"
        if SEQ_CST in access.text:
            listed[access.file] = listed.get(access.file, 0) + 1
    found = {file: text.count(SEQ_CST) for file, text in sources().items()}
    assert {file: count for file, count in found.items() if count} == listed


def test_what_the_table_names_exists() -> None:
    known = {(check.model, *check.options.split()) for check in CHECKS if check.finds}
    cases = re.findall(r'\{"(\w+)", (?:draw|all)<', (RUNTIME / "tests/check_orders.cpp").read_text())
    for access in (*ACCESSES, *RELEASES):
        assert bool(access.models or access.check) != bool(access.otherwise), access.name
        assert not access.check or access.check in cases, access.name
        for name in access.models:
            model, *options = name.split()
            assert any(check[0] == model and set(options) <= set(check[1:]) for check in known), name


def test_a_fence_is_made_where_its_proof_is_handed_over() -> None:
    """Check a rule that the type `Fenced` cannot express: nothing is published between a fence and the wake-up."""
    code = {file: re.sub(r"//.*", "", text) for file, text in sources().items()}
    uses = [(file, line.strip()) for file, text in code.items() if file != "include/weir/fenced.hpp"
            for line in re.findall(r"^.*(?:fence|store)_before_waking\(.*$", text, re.MULTILINE)]
    assert len(uses) >= 7
    for file, line in uses:
        shown = r"\b(wake\w*|notify)\((?:[^()]*, )?(fence_before_waking\(\)|store_before_waking\(.*\))\);"
        assert re.search(shown, line), (file, line)
    for file, text in code.items():
        for use in re.findall(r"^.*\bFenced\b(?!\(\)).*$", text, re.MULTILINE):
            # Only parameters: a named object would outlive the changes that it proves.
            assert file == "include/weir/fenced.hpp" or re.search(r"const Fenced&(?: \w+)?[,)]", use), (file, use)
    makers = [file for file, text in code.items() if re.search(r"\bFenced\(\)|thread_fence", text)]
    assert sorted(makers) == ["include/weir/atomic.hpp", "include/weir/fenced.hpp", "include/weir/sleepers.hpp"]


def test_the_headers_keep_their_promises_in_every_execution(checker: Build,
                                                            record_property: Callable[[str, object], None]) -> None:
    done = check(checker.whole(PROBE), "all", str(EXECUTIONS))
    assert done.returncode == 0, done.stdout
    record_property("relacy", done.stdout)


@pytest.mark.parametrize("access", CHECKED, ids=lambda access: access.name)
def test_a_weakened_access_is_caught(checker: Build, access: Access) -> None:
    done = check(checker.whole(PROBE), access.check, str(EXECUTIONS), *access.place)
    assert done.returncode == FAULT, f"{access.check} does not notice {access.name}"
