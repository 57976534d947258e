"""docs/security.md: each of its sentences names the test that shows it; and what has no better place."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from stored_runs import EXAMPLES

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ("readlink", "dirname", "sed", "dpkg-query", "lstopo-no-graphics", "lstopo", "dot", "git", "g++", "cmake",
            "pkg-config", "volk-config-info", "lttng")


@pytest.mark.parametrize("entry", ["", ".", "bin"])
def test_no_program_comes_from_the_folder_of_a_project(entry: str, tmp_path: Path) -> None:
    folder, mark = tmp_path / "stranger", tmp_path / "executed"
    (folder / entry).mkdir(parents=True)
    (folder / "p.weir.json").write_bytes((EXAMPLES / "quickstart.weir.json").read_bytes())
    for name in PROGRAMS:
        (folder / entry / name).write_text(f"#!/bin/sh\ntouch {shlex.quote(str(mark))}\n")
        (folder / entry / name).chmod(0o755)
    (folder / "json.py").write_text(f"open({str(mark)!r}, 'w')\n")
    environment = {**os.environ, "PATH": f"{entry}:{os.environ['PATH']}", "WEIR_SKIP_SETUP": "1"}
    for verb in ("plan", "layout"):
        subprocess.run([ROOT / "weir", verb, "p.weir.json"], cwd=folder, env=environment, check=True,
                       stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=120)
    assert not mark.exists()
