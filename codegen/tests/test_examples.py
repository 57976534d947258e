"""Test the example files: canonical, valid, explained and neatly laid out; and the script of the recording."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import wave
from pathlib import Path

import pytest
from weir.model.check import check
from weir.model.document import jsontext

ROOT = Path(__file__).resolve().parents[2]
PROJECTS = sorted((ROOT / "examples").rglob("*.weir.json"))
FROM_FILE = ROOT / "examples/from_file"
FM_RECEIVER = ROOT / "examples/fm_receiver"
ADS_B = ROOT / "examples/ads_b"
GRID, BLOCK_WIDTH, BLOCK_HEIGHT = 20, 160, 60


def load(path: Path) -> dict:
    value, faults = jsontext.read(path.read_bytes())
    assert not faults
    return value


@pytest.fixture(params=PROJECTS, ids=lambda p: p.stem)
def path(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_the_examples_that_the_readme_names_are_there():
    assert {p.name.removesuffix(".weir.json") for p in PROJECTS} == {
        "quickstart", "null_rand_latency", "tracing_overhead", "saxpy_single_core", "saxpy_multi_core",
        "grcon_throughput", "load_curve", "radio", "realtime_response", "realtime_radio", "saxpy_chain", "fork",
        "diamond", "from_file", "fm_receiver", "ads_b", "volk_type_conversions", "volk_math", "alignment"}


def test_it_is_canonical_text(path: Path):
    assert jsontext.write(load(path)) == path.read_text(encoding="utf-8")


def test_it_is_valid_without_a_warning(path: Path):
    assert check(path).diagnostics == ()


def test_it_says_what_it_is(path: Path):
    project = load(path)
    assert project["name"] == path.name.removesuffix(".weir.json")
    assert project["title"] and len(project["description"]) > 80
    assert all(p["description"] for p in project.get("parameters", {}).values())


def test_its_deployments_try_three_schedulers(path: Path):
    assert {d["scheduler"] for d in load(path)["deployments"]} >= {"flow", "single_thread", "thread_per_block"}


def test_blocks_lie_on_the_grid_apart_and_downstream_to_the_right(path: Path):
    project = load(path)
    positions = project["ui"]["positions"]
    assert set(positions) == {b["id"] for b in project["graph"]["blocks"]}
    assert all(c % GRID == 0 for position in positions.values() for c in position)
    places = list(positions.values())
    for i, (x, y) in enumerate(places):
        for u, v in places[i + 1:]:
            assert abs(x - u) >= BLOCK_WIDTH or abs(y - v) >= BLOCK_HEIGHT
    led = project["ui"].get("reroutes", {})
    for source, out, destination, into in project["graph"]["connections"]:
        # A wire that is routed through points may continue in the row below.
        if f"{source}.{out}->{destination}.{into}" in led:
            assert positions[source][1] + BLOCK_HEIGHT < positions[destination][1]
        else:
            assert positions[source][0] + BLOCK_WIDTH < positions[destination][0]


@pytest.mark.parametrize("folder, script, name", [(FROM_FILE, ["recording.py", "make"], "tones"),
                                                   (FM_RECEIVER, ["make_recording.py"], "broadcast"),
                                                   (ADS_B, ["recording.py", "make"], "airspace")])
def test_a_recording_is_what_its_script_makes(tmp_path: Path, folder: Path, script: list[str], name: str):
    copy = shutil.copy(folder / script[0], tmp_path)
    subprocess.run(["/usr/bin/python3", copy, *script[1:]], check=True, timeout=60)
    for file in (f"{name}.sigmf-data", f"{name}.sigmf-meta"):
        assert (tmp_path / file).read_bytes() == (folder / file).read_bytes()


def filtered(tmp_path: Path, decimated_only: bool = False) -> list[Path]:
    """Return the flowgraph's expected output from numpy in float64, or the recording merely decimated."""
    numpy = pytest.importorskip("numpy")
    blocks = load(FROM_FILE / "from_file.weir.json")["graph"]["blocks"]
    parameters = next(b["parameters"] for b in blocks if b["type"] == "fir_filter")
    samples = numpy.fromfile(FROM_FILE / "tones.sigmf-data", "<c8")
    taps = [1.0] if decimated_only else parameters["taps"]
    signal = numpy.convolve(samples, taps)[:len(samples):parameters["decimation"]].astype("<c8")
    signal.tofile(tmp_path / "signal.c64")
    (abs(signal) ** 2).astype("<f4").tofile(tmp_path / "power.f32")
    return [tmp_path / "signal.c64", tmp_path / "power.f32"]


@pytest.mark.parametrize("decimated_only, exit_code", [(False, 0), (True, 1)])
def test_the_recordings_check_tells_right_from_wrong(tmp_path: Path, decimated_only: bool, exit_code: int):
    result = subprocess.run([FROM_FILE / "recording.py", "check", *filtered(tmp_path, decimated_only)],
                            capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == exit_code, result.stdout
    assert ("WRONG" in result.stdout) == (exit_code == 1)


@pytest.mark.parametrize("content", [b"", b"123"])
def test_the_recordings_check_refuses_what_is_no_signal(tmp_path: Path, content: bytes):
    for name in ("signal", "power"):
        (tmp_path / name).write_bytes(content)
    result = subprocess.run([FROM_FILE / "recording.py", "check", tmp_path / "signal", tmp_path / "power"],
                            capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 1 and "Traceback" not in result.stderr


@pytest.mark.parametrize("change, exit_code, said", [
    (lambda sent: sent, 0, "120 of 120 frames of 12 aircraft, 0 wrong ones"),
    (lambda sent: sent[:100_000], 0, "0 wrong ones, in 0.05 s"),
    (lambda sent: sent * (sent != sent.max()), 1, "frames of 11 aircraft"),
    (lambda sent: sent | (sent.cumsum() == 0), 1, "120 of 120"),
    (lambda sent: sent[:0], 1, "0 of 0")])
def test_the_receivers_check_counts_missing_and_wrong_frames(tmp_path: Path, change, exit_code: int, said: str):
    pytest.importorskip("numpy")
    recording = runpy.run_path(str(ADS_B / "recording.py"))
    change(recording["decodable"]()).astype("<i4").tofile(tmp_path / "frames.i32")
    checked = subprocess.run([ADS_B / "recording.py", "check", tmp_path / "frames.i32"], capture_output=True, text=True,
                             timeout=60, check=False)
    assert checked.returncode == exit_code and said in checked.stdout


def check_tone(*files: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FM_RECEIVER / "check_tone.py", *files], capture_output=True, text=True, timeout=60,
                          check=False)


@pytest.mark.parametrize("tones, exit_code", [
    ([(1000, 0.6)], 0), ([(1000.9, 0.6)], 0), ([(1001.1, 0.6)], 1), ([(998.9, 0.6)], 1), ([(1000, 0.55)], 1),
    ([(1000, 0.6), (2000, 0.005)], 0), ([(1000, 0.6), (2000, 0.007)], 1), ([(1000, 0.6), (2500, 0.001)], 1),
    ([(1000, 0.6), (19_000, 0.003)], 1), ([(2500, 0.6)], 1), ([], 1)])
def test_the_radios_check_tells_right_from_wrong(tmp_path: Path, tones: list[tuple[float, float]], exit_code: int):
    numpy = pytest.importorskip("numpy")
    t = numpy.arange(24_000) / 48_000
    samples = sum((a * numpy.sin(2 * numpy.pi * hz * t) for hz, a in tones), numpy.zeros(len(t)))
    with wave.open(str(tmp_path / "audio.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(numpy.rint(samples * 32767).astype("<i2").tobytes())
    checked = check_tone(tmp_path / "audio.wav")
    assert checked.returncode == exit_code, checked.stdout + checked.stderr
    assert ("WRONG" in checked.stdout) == (exit_code == 1)


@pytest.mark.parametrize("content", [b"", b"RIFF", b"no audio at all, but long enough to have a header in it"])
def test_the_radios_check_refuses_what_is_no_audio(tmp_path: Path, content: bytes):
    (tmp_path / "audio.wav").write_bytes(content)
    checked = check_tone(tmp_path / "audio.wav")
    assert checked.returncode == 1 and "is no WAV file" in checked.stderr and "Traceback" not in checked.stderr
    assert check_tone(tmp_path / "missing.wav").returncode == 1
    assert check_tone().returncode == 2
