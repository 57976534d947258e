"""The analysis of the memory back-end against the lists of events that codegen's analysis of LTTng traces is held to.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2] / "codegen" / "tests"
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from golden_events import NAMES, Golden, by_ends, rounded  # noqa: E402

PROGRAM = os.environ.get("WEIR_ANALYSE_EVENTS", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="WEIR_ANALYSE_EVENTS names no program")


@pytest.mark.parametrize("warm", [0.0, 0.3])
@pytest.mark.parametrize("name", NAMES)
def test_both_back_ends_give_the_same_numbers_for_the_same_events(name, warm):
    golden = Golden(name, warm)
    lines = [f"window {golden.begin_ns} {golden.end_ns}", f"deadline {golden.deadline_ns}"]
    for way in golden.document["paths"]:
        source, sink = way[0], way[-1]
        lines.append(f"pair {source} {sink} {golden.index[source]} {golden.index[sink]} {golden.boundaries(sink)}")
    for src, dst in golden.document["hops"]:
        lines.append(f"hop {src} {dst} {golden.index[src]} {golden.index[dst]} {int(dst in golden.sinks)} "
                     f"{golden.boundaries_of_hop(dst)} "
                     f"{' '.join(str(golden.index[s]) for s in golden.sinks_behind(dst))}")
    lines += [f"event {e.kind} {golden.index[e.block]} {e.k} {e.time_ns} {e.since_ns}" for e in golden.events]
    done = subprocess.run([PROGRAM], input="\n".join(lines), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert by_ends(json.loads(done.stdout)) == rounded(golden.fields())
