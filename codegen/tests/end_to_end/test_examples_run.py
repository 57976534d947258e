"""Run every example through the command line, from the project file to a checked result."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from planning import unoptimised

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
SCHEDULERS = ("flow", "single_thread", "thread_per_block")
LATENCY_ITEMS = 2_000_000


def weir(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "codegen")}
    return subprocess.run([sys.executable, "-P", "-m", "weir", *map(str, arguments)], cwd=cwd, env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)


def results_of(cwd: Path, project: Path, *arguments: object) -> list[dict]:
    """Return the results of `weir run --json`, all of them ok."""
    done = weir("run", project, "--json", "--out", cwd / "runs", *arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert [r["status"] for r in results] == ["ok"] * len(results), results
    return results


@pytest.fixture(scope="module")
def latencies(tmp_path_factory) -> dict[str, dict]:
    """Return the results of the latency experiment with LATENCY_ITEMS, by scheduler; built in parallel."""
    chosen = [word for name in SCHEDULERS for word in ("--deployment", name)]
    results = results_of(tmp_path_factory.mktemp("latencies"), EXAMPLES / "null_rand_latency.weir.json", *chosen,
                         "--set", "stages=2", "--set", f"/run/items={LATENCY_ITEMS}", "--set", "/run/warmup_items=0",
                         "--trace", "lttng", *unoptimised(EXAMPLES / "null_rand_latency.weir.json"))
    return {result["deployment"]: result for result in results}


@pytest.mark.parametrize("deployment", SCHEDULERS)
def test_the_latency_experiment_loses_nothing(deployment: str, latencies: dict[str, dict]):
    items, granularity, result = LATENCY_ITEMS, 32768, latencies[deployment]
    assert (result["scheduler"] == deployment and result["trace"]["backend"] == "lttng"
            and result["trace"]["discarded"] == 0)
    # Of the other sinks, only boundaries received before the first sink was done count.
    assert items // granularity <= result["latency"]["count"] <= 6 * (items // granularity)
    assert result["latency"]["lost"] == 0
    assert len(result["latency_pairs"]) == 6
    quantiles = [ns for q in ("p5", "p50", "p95", "p99", "max") if (ns := result["latency"][f"{q}_ns"]) is not None]
    assert quantiles == sorted(quantiles) and quantiles[0] > 0 and len(quantiles) >= 2


@pytest.mark.parametrize("deployment", SCHEDULERS)
def test_stages_move_as_much_a_call_under_every_scheduler(deployment: str, latencies: dict[str, dict]):
    def per_call(result: dict) -> float:
        stages = [block for block in result["blocks"] if block["id"].startswith("stage[")]
        return sum(block["items_out"] for block in stages) / sum(block["calls"] for block in stages)

    assert per_call(latencies[deployment]) == pytest.approx(per_call(latencies["flow"]), rel=0.1)


@pytest.mark.slow
def test_the_throughput_experiment_gives_a_rate(tmp_path: Path):
    results = results_of(tmp_path, EXAMPLES / "saxpy_chain.weir.json", "--deployment", "contiguous",
                         "--deployment", "single_thread", "--set", "/run/items=50M", "--set", "/run/warmup_items=1M")
    for result in results:
        assert result["trace"]["backend"] == "off" and result["latency"] is None
        assert result["throughput_items_per_s"] > 1e6


# The first deployment is run and checked as the page beside the example says.
@pytest.mark.parametrize("deployment", [SCHEDULERS[1], *(pytest.param(d, marks=pytest.mark.slow)
                                                         for d in SCHEDULERS[2:])])
def test_the_recording_gives_the_known_answer(deployment: str, tmp_path: Path):
    folder = shutil.copytree(EXAMPLES / "from_file", tmp_path / "from_file")
    file = folder / "from_file.weir.json"
    results_of(tmp_path, file, "--deployment", deployment, *unoptimised(file))
    [signal], [power] = ((tmp_path / "runs").glob(f"*/{name}") for name in ("signal.c64", "power.f32"))
    checked = subprocess.run([folder / "recording.py", "check", signal, power], capture_output=True, text=True,
                             check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_receiver_finds_every_frame_that_aircraft_sent(tmp_path: Path):
    folder = shutil.copytree(EXAMPLES / "ads_b", tmp_path / "ads_b")
    file = folder / "ads_b.weir.json"
    results_of(tmp_path, file, "--deployment", "flow", *unoptimised(file))
    [frames] = (tmp_path / "runs").glob("*/frames.i32")
    checked = subprocess.run([folder / "recording.py", "check", frames], capture_output=True, text=True, check=False)
    assert checked.returncode == 0 and "1200 of 1200 frames of 12 aircraft, 0 wrong" in checked.stdout


@pytest.mark.slow
def test_gnu_radios_own_blocks_find_them_too(tmp_path: Path):
    folder = shutil.copytree(EXAMPLES / "ads_b", tmp_path / "ads_b")
    done = weir("run", folder / "ads_b_gnuradio.grc", "--trust", "--items", "1000000", "--out", tmp_path / "runs",
                cwd=folder)
    assert done.returncode == 0, done.stderr
    [frames] = (tmp_path / "runs").glob("*/frames.i32")
    checked = subprocess.run([folder / "recording.py", "check", frames], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
