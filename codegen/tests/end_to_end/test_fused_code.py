"""Test compiled loops of six stages: each stage computes what it would compute alone."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from planning import deployed
from test_static import series
from weir_process import answer, program_of

STAGES = [{"id": f"s{i}", "type": "saxpy", "parameters": {"a": 0.75 + i / 100, "b": 0.5}} for i in range(6)]


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return program_of(tmp_path_factory.mktemp("fused") / "six", deployed(series(*STAGES), scheduler="fused", workers=1))


def test_a_vector_has_six_fused_multiply_adds_and_one_store(binary: Path) -> None:
    """Check that values between the stages stay in registers."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", binary], capture_output=True, text=True,
                             check=True).stdout
    [loop] = [text for text in listing.split("\n\n") if re.match(r"\s*[0-9a-f]+ <\S*fire_together", text)]
    wide = "zmm" if re.search(r"vfmadd\w+ps\s.*%zmm", loop) else "ymm"
    if not re.search(rf"vfmadd\w+ps\s.*%{wide}", loop):
        pytest.skip("this CPU has no fused multiply-add")
    adds = re.findall(rf"\tvfmadd\w+ps\s.*%{wide}\d+$", loop, re.MULTILINE)
    stores = re.findall(rf"\tvmov[ua]ps\s+%{wide}\d+,-?(?:0x[0-9a-f]+)?\((?!%rsp|%rbp)", loop)
    assert len(stores) >= 8 and len(adds) == 6 * len(stores)


def digest(binary: Path, folder: Path, *options: str) -> str:
    [sink] = answer(binary, folder, "--verify", "--without-reference", "--items", "10007", *options)["sinks"]
    return sink["digest"]


def test_each_stage_counts(binary: Path, tmp_path: Path) -> None:
    """Check that no stage is left out or combined with another: a changed factor changes the items at the sink."""
    factors = ["", *(f"s{i}.a=0.9" for i in range(6))]
    found = [digest(binary, tmp_path / str(i), *(["--param", factor] if factor else []))
             for i, factor in enumerate(factors)]
    assert len(set(found)) == 7
