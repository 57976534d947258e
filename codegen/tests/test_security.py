"""Check that each sentence of docs/security.md names the test that proves it; and test what has no better place."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from conftest import block, document, write_descriptor
from stored_runs import EXAMPLES, example
from weir.diagnostics import has_errors
from weir.model.catalog import Catalog, load_catalog
from weir.model.check import check

ROOT = Path(__file__).resolve().parents[2]
TESTS = Path(__file__).parent
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
#: Text after each `- `, up to the next one.
POINTS = [point.split("\n\n")[0] for point in re.split(r"^- ", PAGE, flags=re.MULTILINE)[1:]]
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


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point[:40])
def test_each_point_of_the_page_names_tests_that_there_are(point: str) -> None:
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", point)
    assert named
    for file, name in named:
        assert re.search(rf"^def {name}\(", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE), (file, name)


def test_the_page_says_nothing_beside_its_points() -> None:
    assert len(POINTS) >= 15
    rest = PAGE
    for point in POINTS:
        rest = rest.replace(f"- {point}", "")
    assert [line for line in rest.splitlines()[5:] if line.strip() and not line.startswith("## ")] == []


def test_blocks_write_below_the_run_directory(library: Catalog, tmp_path: Path) -> None:
    for path, allowed in (("tap.out", True), ("a/b", True), ("../tap.out", False), ("/tmp/tap.out", False)):
        sink = block("tap", "file_sink", parameters={"path": path})
        project = document([block("s", "null_source", item_type="f32"), sink], ["s.out > tap.in"])
        faults = check(json.dumps(project), directory=tmp_path, catalog=library).diagnostics
        assert (("E_PATH_OUTSIDE" in [fault.code for fault in faults]) is not allowed), path


def test_paths_are_looked_at_when_the_project_is_checked(library: Catalog, tmp_path: Path) -> None:
    source = block("s", "file_source", item_type="u8", parameters={"path": "data"})
    project = json.dumps(document([source, block("n", "null_sink")], ["s.out > n.in"]))
    (tmp_path / "data").write_bytes(b"x")
    checked = check(project, directory=tmp_path, catalog=library)
    assert not has_errors(checked.diagnostics)
    (tmp_path / "data").unlink()
    (tmp_path / "data").symlink_to("/etc/passwd")
    # The program gets the name as written in the project.
    assert checked.graph.instance("s").parameters["path"] == "data"
    assert has_errors(check(project, directory=tmp_path, catalog=library).diagnostics)


def test_code_of_others_is_not_confined(tmp_path: Path) -> None:
    """Use a block that opens files: no rule about paths applies to its code, and its descriptor may omit files."""
    descriptor = {"format": 1, "id": "mine", "title": "Mine", "behaviour": {"state": "stateless"},
                  "item_types": ["f32"], "inputs": [{"id": "in", "type": "T"}], "outputs": [{"id": "out", "type": "T"}],
                  "parameters": [{"id": "name", "type": "string", "default": ""}]}
    # its contents do not matter here
    write_descriptor(tmp_path, "block", descriptor).with_name("mine.hpp").write_text("")
    project = document([block("s", "null_source", item_type="f32"),
                        block("m", "mine", parameters={"name": "/etc/passwd"}), block("n", "null_sink")],
                       ["s.out > m.in", "m.out > n.in"])
    assert not has_errors(check(json.dumps(project), catalog=load_catalog([tmp_path])).diagnostics)


def test_a_project_sets_its_own_time_limit(library: Catalog) -> None:
    project = json.loads(example("quickstart"))
    for seconds in (1, 604_800):
        project["run"] = {**project["run"], "timeout_s": seconds, "items": 0}
        checked = check(json.dumps(project), directory=EXAMPLES, catalog=library)
        assert not has_errors(checked.diagnostics) and checked.project.run.timeout_s == seconds
