"""Test that Weir finds why items of a real run were late: a busy loop on the workers' only CPU."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from lttng_world import environment
from weir.engine.measuring.kernel_trace import PLACES, KernelTrace
from weir_process import ended, project, start, wait_for_worker

CPU = sorted(os.sched_getaffinity(0))[-1]


@pytest.fixture(scope="module")
def tracefs() -> None:
    with KernelTrace(True) as kernel:
        if kernel.recorded.why_not:
            pytest.skip(kernel.recorded.why_not)
    kernel.finish()


@pytest.fixture
def loop():
    """Run a busy loop on that CPU, with precedence over other processes."""
    process = subprocess.Popen([sys.executable, "-c",
                                f"import os\nos.nice(-5)\nos.sched_setaffinity(0, [{CPU}])\nwhile True: pass"])
    yield process
    process.kill()
    process.wait()


def run(folder: Path, slots: int) -> subprocess.Popen:
    """Start a run of 1,000 slots per second, which use more than half of a CPU. Both workers share one CPU."""
    path = project(folder, 0, "slots", graph={
        "blocks": [{"id": "slots", "type": "paced_source",
                    "parameters": {"item_type": "f32", "rate": 100_000, "burst_items": 100}},
                   {"id": "phy", "type": "busy_work", "parameters": {"iterations": 3000}},
                   {"id": "answer", "type": "null_sink"}],
        "connections": [["slots", "out", "phy", "in"], ["phy", "out", "answer", "in"]]},
        deployments=[{"name": "d", "scheduler": "flow", "workers": 2, "chunk_items": 100, "wait": "park",
                      "affinity": {"w0": [CPU], "w1": [CPU]},
                      "placement": {"strategy": "explicit", "map": {"slots": "w0", "phy": "w1", "answer": "w0"}}}],
        run={"items": 100_000, "warmup_items": 5000, "timeout_s": 100, "deadline_us": 3000,
             "trace": {"backend": "memory", "probe_granularity": 100, "causes": True}})
    return start(folder, path, environment(folder), "--items", 100 * slots)


def ours() -> list[str]:
    return [path.name for place in PLACES for path in place.glob("instances/weir-*")]


@pytest.mark.usefixtures("tracefs")
def test_the_loop_that_took_the_cpu_is_named(tmp_path, request):
    ended(run(tmp_path, 200), 0)  # builds it before the loop disturbs anything
    loop = request.getfixturevalue("loop")
    [result] = ended(run(tmp_path, 800), 0)
    response, causes = result["response"], result["causes"]
    # The number of late items depends on the kernel: a handful suffices to show which process it ran instead.
    assert response["late"] > 4 and response["answered"] == result["latency"]["count"] and response["lost"] == 0
    assert causes["status"] == "ok" and causes["late_items"] == response["late"]
    assert causes["named"] >= 0.9 * causes["late_items"]
    by = Counter(item["cause"]["by"] for item in causes["items"]
                 if item["cause"]["kind"] in ("preempted", "waited_for_cpu"))
    assert by.most_common(1)[0][0].endswith(f"/{loop.pid}"), causes["by_kind"]
    assert sum(by.values()) > 0.5 * len(causes["items"])
    assert ours() == []


@pytest.mark.usefixtures("tracefs")
def test_what_a_killed_run_left_in_the_kernel_goes_with_the_next(tmp_path):
    killed = run(tmp_path, 60_000)
    wait_for_worker(killed.pid, "w1")
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert len(ours()) == 1
    [result] = ended(run(tmp_path, 300), 0)
    assert result["causes"]["status"] == "ok" and ours() == []


def test_a_run_continues_where_the_kernel_does_not_tell(tmp_path):
    """Run in a namespace whose tracefs is an empty ordinary folder, as in a container."""
    ended(run(tmp_path, 200), 0)
    hidden = "mount -t tmpfs none /sys/kernel && exec \"$@\""
    done = subprocess.run(["unshare", "--mount", "/bin/sh", "-c", hidden, "sh", sys.executable, "-m", "weir", "run",
                           str(tmp_path / "slots.weir.json"), "--json", "--items", "30000", "--out",
                           str(tmp_path / "runs")],
                          env=environment(tmp_path), capture_output=True, text=True, timeout=120)
    if "unshare" in done.stderr and done.returncode != 0:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    assert '"unavailable"' in done.stdout and "Weir cannot find why items are late: tracefs" in done.stderr
