"""Test a radio and its audio: the FM receiver under every scheduler, and a paced stream into a file, interrupted."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import wave
from pathlib import Path

import pytest
from planning import UNOPTIMISED, unoptimised

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
SCHEDULERS = {d["name"]: d["scheduler"]
              for d in json.loads((EXAMPLES / "fm_receiver.weir.json").read_text())["deployments"]}
RATE = 48_000
UNTHROTTLED_ITEMS = 1_024_000


def weir(*arguments: object, cwd: Path) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "codegen"), "WEIR_LOCK": str(cwd / "run.lock")}
    return subprocess.Popen([sys.executable, "-P", "-m", "weir", *map(str, arguments)], cwd=cwd, env=environment,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str], code: int) -> str:
    out, err = process.communicate(timeout=600)
    assert process.returncode == code, err
    return out


def receiver(folder: Path) -> Path:
    """Return a copy of the example, so that a test may break its recording."""
    shutil.copytree(EXAMPLES / "fm_receiver", folder / "fm_receiver")
    return Path(shutil.copy(EXAMPLES / "fm_receiver.weir.json", folder))


def audio_is_right(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([EXAMPLES / "fm_receiver/check_tone.py", *folder.glob("runs/*/audio.wav")],
                          capture_output=True, text=True, check=False)


@pytest.mark.parametrize("deployment", [pytest.param(d, marks=() if d == "flow" else pytest.mark.slow)
                                        for d in SCHEDULERS])
def test_the_receiver_brings_out_the_tone(deployment: str, tmp_path: Path):
    project = receiver(tmp_path)
    process = weir("run", project, "--json", "--out", "runs", "--deployment", deployment, *unoptimised(project),
                   cwd=tmp_path)
    [result] = json.loads(ended(process, 0))
    assert result["status"] == "ok" and result["scheduler"] == SCHEDULERS[deployment]
    [sink] = result["sinks"]
    assert sink["items"] == sink["expected"] == 960_000
    checked = audio_is_right(tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.slow
def test_the_receiver_tunes_to_the_other_station(tmp_path: Path):
    process = weir("run", receiver(tmp_path), "--out", "runs", "--deployment", "single_thread", "--set",
                   "station=-150k", cwd=tmp_path)
    ended(process, 0)
    checked = audio_is_right(tmp_path)
    assert checked.returncode == 1 and re.search(r"^ +tone +2500\.000 Hz.*WRONG$", checked.stdout, re.MULTILINE)


def test_a_recording_of_another_rate_is_refused_by_the_name_of_its_block(tmp_path: Path):
    project = receiver(tmp_path)
    metadata = tmp_path / "fm_receiver/broadcast.sigmf-meta"
    metadata.write_text(metadata.read_text().replace("960000", "2400000"))
    process = weir("run", project, "--json", "--out", "runs", "--deployment", "single_thread", cwd=tmp_path)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1 and not (tmp_path / "runs").exists()
    assert "E_RECORDING: `recording`: broadcast.sigmf-meta: global.core:sample_rate is 2.4e+06 Hz" in said


@pytest.fixture
def paced(tmp_path: Path) -> Path:
    """Return half a minute of paced audio beside unpaced spectra, on one worker."""
    project = tmp_path / "paced.weir.json"
    project.write_text(json.dumps({
        "schema_version": 1, "name": "paced",
        "graph": {
            "blocks": [
                {"id": "tone", "type": "signal_source", "parameters": {"item_type": "f32", "sample_rate": RATE // 2}},
                {"id": "smooth", "type": "interpolate", "parameters": {"interpolation": 2, "taps": [0.5, 1, 0.5]}},
                {"id": "pace", "type": "throttle", "parameters": {"rate": RATE, "burst_items": 480}},
                {"id": "speaker", "type": "wav_sink", "parameters": {"path": "audio.wav"}},
                {"id": "counter", "type": "counter_source", "parameters": {"item_type": "c64"}},
                {"id": "enough", "type": "head", "parameters": {"items": UNTHROTTLED_ITEMS + 7}},
                {"id": "spectrum", "type": "fft", "parameters": {"size": 1000, "window": "hann"}},
                {"id": "fast", "type": "null_sink"}],
            "connections": [["tone", "out", "smooth", "in"], ["smooth", "out", "pace", "in"],
                            ["pace", "out", "speaker", "in"], ["counter", "out", "enough", "in"],
                            ["enough", "out", "spectrum", "in"], ["spectrum", "out", "fast", "in"]]},
        "deployments": [{"name": "one", "scheduler": "single_thread", "build": UNOPTIMISED}],
        "run": {"items": 15 * RATE, "timeout_s": 100, "trace": {"backend": "off"}}}))
    ended(weir("generate", "--build", project, cwd=tmp_path), 0)
    return project


def test_a_throttle_delays_no_other_block_and_interrupted_audio_can_be_played(paced: Path, tmp_path: Path):
    process = weir("run", paced, "--json", "--out", "runs", cwd=tmp_path)
    deadline, begun = time.monotonic() + 120, None
    while begun is None and time.monotonic() < deadline:
        begun = time.monotonic() if list(tmp_path.glob("runs/.incomplete-*/audio.wav")) else None
        time.sleep(0.05)
    time.sleep(2.5)
    process.send_signal(signal.SIGINT)
    [result] = json.loads(ended(process, 4))
    assert result["status"] == "partial"
    speaker, fast = (next(s for s in result["sinks"] if s["id"] == name) for name in ("speaker", "fast"))
    assert fast["items"] == UNTHROTTLED_ITEMS
    assert 0 < speaker["items"] < 10 * RATE < speaker["expected"]
    with wave.open(str(next(tmp_path.glob("runs/*/audio.wav")))) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2)
        assert len(file.readframes(10**9)) == 2 * file.getnframes() == 2 * speaker["items"]
    assert speaker["items"] <= RATE * result["elapsed_s"] + 480
    assert speaker["items"] >= RATE * (result["elapsed_s"] - 1)
