"""Test abnormal ends of a program made by `app_main`, and the files that it leaves."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import time

import pytest
from fixture_program import LIMIT_S, PROGRAM, codes, environment, events_of, needs_program, results_of, run

pytestmark = needs_program


def test_a_deadlock_names_who_waits_for_whom(tmp_path):
    done = run("deadlock", "--stall-s", "0.3", out=tmp_path)
    assert done.returncode == 4
    r = results_of(tmp_path)
    assert r["status"] == "timeout" and "E_STALLED" in codes(r)
    assert r["watchdog"]["cause"] == "stall"
    waits = {b["id"]: (b["state"], b["waits_for"]) for b in r["watchdog"]["blocks"]}
    assert waits["join"] == ("need_input", ["hoard"])
    assert waits["hoard"] == ("need_input", ["source"])
    state, waited_for = waits["source"]
    assert state == "need_output" and set(waited_for) == {"join", "hoard"}
    full = {s["name"]: (s["fill"], s["capacity"]) for s in r["watchdog"]["streams"]}
    assert full["source.out"][0] == full["source.out"][1]
    assert "waits for hoard" in done.stderr


def test_time_before_items_flow_is_no_stall(tmp_path):
    done = run("chain", "--items", "1k", "--stall-s", "0.3", "--param", "stage.start_us=1500k", out=tmp_path)
    assert done.returncode == 0, done.stderr
    assert results_of(tmp_path)["status"] == "ok"


def test_a_time_out_is_a_time_out(tmp_path):
    begin = time.monotonic()
    done = run("chain", "--items", "0", "--timeout-s", "0.5", out=tmp_path)
    assert done.returncode == 4 and time.monotonic() - begin < 10
    r = results_of(tmp_path)
    assert r["status"] == "timeout" and "E_TIMEOUT" in codes(r) and r["watchdog"]["cause"] == "timeout"


def test_workers_that_do_not_come_back_do_not_keep_the_results(tmp_path):
    done = run("hangs", "--timeout-s", "0.3", out=tmp_path)
    assert done.returncode == 4
    r = results_of(tmp_path)
    assert r["status"] == "failed" and {"E_TIMEOUT", "E_WORKERS_STUCK"} <= codes(r)
    assert {b["id"] for b in r["watchdog"]["blocks"]} == {"source", "stage", "sink"}


@pytest.mark.parametrize("fixture, part", [("fails", 'stage: the disk "sda" is on fire'),
                                           ("fails_to_start", "stage: no such file: gone.dat")])
def test_an_error_names_its_block(tmp_path, fixture, part):
    done = run(fixture, out=tmp_path)
    assert done.returncode == 4
    r = results_of(tmp_path)
    assert r["status"] == "failed" and [x["message"] for x in r["reasons"] if x["code"] == "E_BLOCK"] == [part]
    assert part in done.stdout


def start_and_see_it_move(*arguments: str) -> subprocess.Popen[str]:
    process = subprocess.Popen([PROGRAM, "--items", "0", "--progress=json", *arguments], env=environment("chain"),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while json.loads(process.stderr.readline())["done"] < 100_000:
        pass
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_gives_a_partial_result(tmp_path, number):
    process = start_and_see_it_move("--out", str(tmp_path))
    process.send_signal(number)
    out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 4, err
    r = results_of(tmp_path)
    assert r["status"] == "partial" and "E_INTERRUPTED" in codes(r)
    assert r["sinks"][0]["items"] > 0
    # The number of events of an endless run is unknown.
    assert 0 < len(list(events_of(tmp_path, "rx"))) <= len(list(events_of(tmp_path, "tx")))


def test_a_second_interrupt_kills(tmp_path):
    process = subprocess.Popen([PROGRAM, "--out", str(tmp_path)], env=environment("hangs"),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=LIMIT_S)
    assert process.returncode == -signal.SIGINT
    assert not list(tmp_path.glob("results.json*"))


def test_an_interrupt_ends_the_repetitions(tmp_path):
    process = start_and_see_it_move("--repeat", "5", "--json", "--out", str(tmp_path))
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 4
    assert [r["status"] for r in json.loads(out)] == ["partial"]
    assert not (tmp_path / "2").exists()


def test_a_required_setting_that_is_not_granted_makes_the_result_invalid(tmp_path):
    assert run("required", "--items", "20k", out=tmp_path).returncode == 4
    r = results_of(tmp_path)
    assert r["status"] == "invalid" and "E_NOT_GRANTED" in codes(r)


def test_a_machine_that_slows_during_the_run_is_flagged(tmp_path):
    assert run("slowed", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    assert (r["status"] == "ok" and r["speed_check"]["before_items_per_s"] == 6e9
            and r["speed_check"]["after_items_per_s"] == 4e9)
    message, = [x["message"] for x in r["reasons"] if x["code"] == "W_MACHINE_SLOWED"]
    assert "slowed down by 33 %" in message and "6 Gitems/s" in message


def test_a_machine_that_speeds_up_during_the_run_is_flagged_by_how_much_it_gained(tmp_path):
    assert run("sped_up", out=tmp_path).returncode == 0
    message, = [x["message"] for x in results_of(tmp_path)["reasons"] if x["code"] == "W_MACHINE_SLOWED"]
    assert "sped up by 50 %" in message


def test_the_speed_check_runs_on_the_first_workers_cpu_and_not_in_the_measured_time(tmp_path):
    for option in ("--speed-check-s", "--witness-s"):  # the second is the former name
        assert run("clock_jumps", option, "0", "--items", "20k", out=tmp_path / option).returncode == 4
        assert results_of(tmp_path / option)["speed_check"] is None
    done = run("chain", "--items", "20k", "--speed-check-s", "0.3", out=tmp_path / "long")
    r = results_of(tmp_path / "long")
    assert done.returncode == 0 and r["speed_check"]["cpu"] == 0 and r["speed_check"]["seconds"] == 0.3
    assert r["speed_check"]["before_items_per_s"] > 1e6 and r["speed_check"]["after_items_per_s"] > 1e6
    assert r["clocks"]["monotonic_s"] < 0.3 + r["elapsed_s"]


def test_a_clock_that_jumps_makes_the_result_invalid_and_says_by_how_much(tmp_path):
    assert run("clock_jumps", out=tmp_path).returncode == 4
    r = results_of(tmp_path)
    assert r["status"] == "invalid" and codes(r) & {"E_CLOCK_JUMPED"} and "E_SUSPENDED" not in codes(r)
    message, = [x["message"] for x in r["reasons"] if x["code"] == "E_CLOCK_JUMPED"]
    assert "3600" in message
    assert r["clocks"]["monotonic_s"] > 3600 > r["clocks"]["raw_s"]


def test_items_that_are_lost_make_the_result_invalid(tmp_path):
    assert run("drops", out=tmp_path).returncode == 4
    r = results_of(tmp_path)
    assert r["status"] == "invalid" and "E_COUNT" in codes(r)
    assert r["sinks"][0]["items"] < r["sinks"][0]["expected"] == 1_000_500


def test_events_that_do_not_fit_make_the_result_invalid(tmp_path):
    assert run("understated", out=tmp_path).returncode == 4
    r = results_of(tmp_path)
    assert r["status"] == "invalid" and "E_DISCARDED" in codes(r) and r["trace"]["discarded"] > 0


@pytest.mark.parametrize("fixture", ["crashes", "crashes_scheduled"])
def test_a_crash_names_its_block_and_leaves_no_results_that_could_pass_for_some(tmp_path, fixture):
    (tmp_path / "results.json").write_text("{}")    # of an earlier run
    done = run(fixture, out=tmp_path)
    assert done.returncode == -signal.SIGILL
    assert done.stderr.splitlines() == ["weir: crashed in block stage"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("trace", ["off", "memory"])
def test_a_full_disk_leaves_nothing_half_written(tmp_path, trace):
    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    done = run("chain", "--trace", trace, "--items", "200k", out=tmp_path, preexec_fn=small_files)
    assert done.returncode == 3
    assert done.stderr.startswith("error: cannot write ") and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    done = run("chain", out=tmp_path / "file" / "below")
    assert done.returncode == 4 and done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
