"""Test a real run with a policy on one worker: planned, granted and read back; without the right, refused by name."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from lttng_world import environment
from weir_process import project, weir

FIFO = {"policy": "fifo", "priority": 50}
WITHOUT_RIGHTS = ("prlimit", "--rtprio=0:0", "setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory):
    """Return a function that runs the project, built once, with words before the command: exit code and results."""
    folder = tmp_path_factory.mktemp("urgent")
    path = project(folder, 0.3, "urgent", deployments=[{
        "name": "two", "scheduler": "flow", "wait": "park", "timer_slack_ns": 20000, "require": ["priority"],
        "placement": {"strategy": "explicit", "map": {"radio": "w0", "limit": "w0", "sink": "w1"}},
        "threads": {"radio": FIFO}}])

    def made(*before: str) -> tuple[int, dict]:
        words = weir("run", path, "--json", "--out", folder / "runs", "--trace", "memory")
        done = subprocess.run([*before, *words], env=environment(folder), capture_output=True, text=True, timeout=300)
        [results] = json.loads(done.stdout)
        return done.returncode, results

    return made


def test_the_interface_has_a_policy_and_the_rest_is_as_everything_else(world) -> None:
    code, results = world()
    if code == 4:
        pytest.skip("; ".join(it["message"] for it in results["reasons"] if it["code"] == "E_NOT_GRANTED"))
    assert (code, results["status"]) == (0, "ok")
    asked = results["requested"]
    assert asked["threads"] == {"radio": FIFO} and asked["priority"]["timer_slack_ns"] == 20000
    assert {name: it["policy"] for name, it in results["planned"]["threads"].items()} == {"w0": "fifo"}
    granted = results["granted"]["priority"]
    assert (granted["w0"]["policy"], granted["w0"]["priority"]) == ("fifo", 50)
    assert (granted["w1"]["policy"], granted["w1"]["timer_slack_ns"]) == ("other", 20000)
    threads = [(it["name"], it["policy"], it["priority"]) for it in results["threads"]]
    assert threads == [("w0", "fifo", 50), ("w1", "other", 0)]


@pytest.mark.skipif(os.geteuid() != 0 or not all(map(shutil.which, ("prlimit", "setpriv"))),
                    reason="only root has a right that it can drop, with prlimit and setpriv")
def test_without_the_right_a_run_that_requires_it_is_invalid_by_name(world) -> None:
    code, results = world(*WITHOUT_RIGHTS)
    assert (code, results["status"]) == (4, "invalid")
    assert [it["message"] for it in results["reasons"] if it["code"] == "E_NOT_GRANTED"] == [
        "priority of worker w0: Operation not permitted: priority 50 needs CAP_SYS_NICE or a higher limit than 0: "
        "sudo prlimit --pid $$ --rtprio=50:50"]
    assert {it["policy"] for it in results["granted"]["priority"].values()} == {"other"}
