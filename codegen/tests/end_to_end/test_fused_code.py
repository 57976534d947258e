"""What a compiler makes of a loop of six stages, and that each of them still does what it alone would do."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from planning import deployed
from test_static import series
from weir import cli

STAGES = [{"id": f"s{i}", "type": "saxpy", "parameters": {"a": 0.75 + i / 100, "b": 0.5}} for i in range(6)]


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("fused")
    document = deployed(series(*STAGES), scheduler="fused", workers=1)
    (folder / "six.weir.json").write_text(json.dumps(document))
    assert cli.main(["generate", "--build", str(folder / "six.weir.json"), "--json", "--output",
                     str(folder / "built")]) == 0
    [program] = [path for path in (folder / "built").rglob("test") if path.is_file()]
    return str(program)


def test_a_vector_has_six_fused_multiply_adds_and_one_store(binary: str) -> None:
    """What is between the stages goes to no memory."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", binary], capture_output=True, text=True,
                             check=True).stdout
    [loop] = [text for text in listing.split("\n\n") if re.match(r"\s*[0-9a-f]+ <\S*fire_together", text)]
    wide = "zmm" if re.search(r"vfmadd\w+ps\s.*%zmm", loop) else "ymm"
    if not re.search(rf"vfmadd\w+ps\s.*%{wide}", loop):
        pytest.skip("this CPU has no fused multiply-add")
    adds = re.findall(rf"\tvfmadd\w+ps\s.*%{wide}\d+$", loop, re.MULTILINE)
    stores = re.findall(rf"\tvmov[ua]ps\s+%{wide}\d+,-?(?:0x[0-9a-f]+)?\((?!%rsp|%rbp)", loop)
    assert len(stores) >= 8 and len(adds) == 6 * len(stores)


def digest(binary: str, folder: Path, *options: str) -> str:
    run = subprocess.run([binary, "--verify", "--without-reference", "--items", "10007", "--json", "--out", str(folder),
                          *options], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    [sink] = json.loads(run.stdout)[0]["sinks"]
    return sink["digest"]


def test_each_stage_counts(binary: str, tmp_path: Path) -> None:
    """None is left out, nor combined with another: any factor that changes, changes what comes to the sink."""
    factors = ["", *(f"s{i}.a=0.9" for i in range(6))]
    found = [digest(binary, tmp_path / str(i), *(["--param", factor] if factor else []))
             for i, factor in enumerate(factors)]
    assert len(set(found)) == 7
