"""Each installed example of GNU Radio runs, is counted as GNU Radio counts, and has latencies or the reason why not."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from companion_world import command, equal_counts, hosted, library, why_not
from grc.grc_world import INSTALLED
from weir.diagnostics import WeirError

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(why_not()), reason=why_not() or "GNU Radio is here")]
#: What an example may lack to be made: a file, a device beyond those that `hardware` replaces, or a part of its own.
LACKING = r"open file|too small|read header|no match|No devices|ModuleNotFoundError|hierarchical block|waits? for a"
REASON = (r"latency not measurable: block \S+ (drops (tags|the metadata of PDUs)|claims to have consumed .*)"
          r"|latency not measured: (the run ended before the first boundary had left block \S+"
          r"|\S+ (sent|got) \d+ items, fewer than .*)")


@pytest.fixture(scope="module")
def probes() -> Path:
    return library()


@pytest.mark.parametrize("file", sorted(INSTALLED.rglob("*.grc")), ids=lambda file: str(file.relative_to(INSTALLED)))
def test_an_installed_example_is_counted_as_gnu_radio_counts(file: Path, tmp_path: Path, probes: Path) -> None:
    try:
        program = hosted(file, tmp_path, replace=["hardware"])
    except (WeirError, AssertionError) as refused:
        pytest.skip(f"refused: {str(refused).strip()[-200:]}")
    words = command(program, tmp_path / "out", probes, "--seconds", "2", "--stop-s", "60",
                    mapping=json.loads((tmp_path / "mapping.json").read_text()))
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False, cwd=file.parent,
                          errors="replace")
    if done.returncode == 2 and re.search(LACKING, done.stderr):
        pytest.skip(done.stderr.strip().splitlines()[-1])
    needed = re.search(r"a snippet .* has no attribute '(\w+)'", done.stderr)
    if needed and f"self.{needed[1]} =" not in program.read_text():
        pytest.skip(f"a snippet needs the replaced block {needed[1]}")
    assert done.returncode in (0, 4), done.stderr
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    # Without a throttle or a device, null blocks may fill the memory for events.
    assert done.returncode == 0 or {one["code"] for one in results["reasons"]} == {"E_DISCARDED"}, done.stderr
    equal_counts(results)
    for path in results["paths"]:
        ends = path["source"], path["sink"]
        assert path["latency"] or re.fullmatch(REASON, path["reason"]), (ends, path["reason"])
        # At fixed rates only a run without a boundary at both ends has none.
        assert path["latency"] or path["how"] != "counts" or not path["sent"] or not path["received"], ends
