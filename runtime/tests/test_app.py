"""Test a program made by `app_main`: its options, its results.json and its exit codes."""

from __future__ import annotations

import json
import resource
import struct
import subprocess
from itertools import count

import pytest
from fixture_program import LIMIT_S, PROGRAM, codes, environment, events_of, needs_program, results_of, run
from weir.machine.environment import cpu_name

pytestmark = needs_program

EVENTS = ("cycles", "instructions", "cache_references", "cache_misses", "l1d_load_misses", "branch_misses",
          "page_faults")


def test_a_run_writes_what_the_contract_says(tmp_path):
    done = run("chain", "--param", "stage.a=0.5", "--param", 'source.label=a "quoted"\nline', "--seed", "7",
               out=tmp_path)
    assert done.returncode == 0, done.stderr
    r = results_of(tmp_path)
    assert r["status"] == "ok"
    assert r["deployment"] == 'two "workers"'
    assert r["seed"] == 7
    assert r["parameters"] == {"source.label": 'a "quoted"\nline', "stage.a": 0.5, "stage.delay_us": 0,
                               "stage.start_us": 0}
    assert [(s["id"], s["items"], s["expected"]) for s in r["sinks"]] == [("sink", 1_000_500, 1_000_500)]
    assert r["throughput_items_per_s"] > 0 and r["elapsed_s"] >= r["window_s"] > 0
    assert r["trace"] == {"backend": "memory", "compiled_in": True, "events": 2000, "discarded": 0,
                          "probe_granularity": 1000,
                          "predicted_cost": None, "cost": None}
    sent, received = (list(events_of(tmp_path, event)) for event in ("tx", "rx"))
    for events, index, worker in ((sent, 0, "w0"), (received, 2, "w1")):
        [tid] = [thread["tid"] for thread in r["threads"] if thread["name"] == worker]
        assert [event.value for event in events] == list(range(1, 1001))
        assert {(event.id, event.thread, event.cpu) for event in events} == {(index, tid, -1)}
    assert all(before.time_ns <= entered.since_ns <= entered.time_ns for before, entered in zip(sent, received))
    assert [b["id"] for b in r["blocks"]] == ["source", "stage", "sink"]
    assert [b["worker"] for b in r["blocks"]] == ["w0", "w0", "w1"]
    assert all(b["calls"] > 0 and b["busy_ns"] is None for b in r["blocks"])
    assert r["metrics_cost"] is None and all(e["fill_over_time"] is None for e in r["edges"])
    for block in r["blocks"]:
        assert 0 <= block["unaligned_calls"] <= block["calls"]
        spread = block["items_per_call"]["distribution"]
        assert (sum(calls for _, calls in spread) == block["calls"]
                and [n for n, _ in spread] == sorted({n for n, _ in spread}))
        # Each bin is at most an eighth of its value wide.
        least, items = sum(n * calls for n, calls in spread), max(block["items_in"], block["items_out"])
        assert least <= items < least * 9 / 8 and block["items_per_call"]["p95"] in [n for n, _ in spread]
    assert [(e["from"], e["to"]) for e in r["edges"]] == [("source.out", "stage.in"), ("stage.out", "sink.in")]
    assert {t["name"] for t in r["threads"]} == {"w0", "w1"}
    assert r["planned"]["affinity"] == {"w0": [0], "w1": []}
    assert r["granted"]["affinity"]["w0"] == [0]
    assert set(r["granted"]["buffers"]) == {"source.out", "stage.out"}
    assert r["environment"]["kernel"].startswith("Linux") and r["environment"]["flush_to_zero"] is False
    assert r["environment"]["cpu"] == cpu_name()
    assert all(word in done.stdout for word in ("throughput", "weir import", str(tmp_path / "results.json")))


def test_a_negative_seed_is_reported_as_it_was_given(tmp_path):
    assert run("chain", "--items", "1000", "--seed", "-3", out=tmp_path).returncode == 0
    assert results_of(tmp_path)["seed"] == -3


def test_a_warm_up_that_never_ends_leaves_no_window(tmp_path):
    assert run("chain", "--warmup-items", "2M", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    assert "W_NO_WINDOW" in codes(r) and r["window"] is None


def test_metrics_and_trace_off(tmp_path):
    assert run("chain", "--metrics", "none", "--trace", "off", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    assert r["trace"]["events"] is None
    assert all(b["calls"] is b["unaligned_calls"] is b["items_per_call"] is None for b in r["blocks"])
    assert not (tmp_path / "events.bin").exists()
    assert r["metrics_cost"] is None and all(e["fill_over_time"] is None for e in r["edges"])
    assert run("chain", "--metrics", "profile", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    assert all(b["busy_ns"] > 0 for b in r["blocks"])
    for fill in (e["fill_over_time"] for e in r["edges"]):
        assert len(fill["mean"]) == len(fill["max"]) <= r["elapsed_s"] * 1e9 / fill["bin_ns"] + 1
        assert fill["mean"][-1] is not None and all(a <= b for a, b in zip(fill["mean"], fill["max"]) if a is not None)
    cost, cpu_time_s = r["metrics_cost"], sum(t["cpu_time_s"] for t in r["threads"])
    assert cost["clock_reads"] == 2 * sum(b["calls"] for b in r["blocks"]) and cost["clock_read_ns"] > 0
    assert cost["share"] == pytest.approx(min(1, cost["clock_reads"] * cost["clock_read_ns"] * 1e-9 / cpu_time_s))


def test_cpu_counters_are_per_thread_and_total_and_missing_ones_are_reported(tmp_path):
    assert run("chain", "--cpu-counters", "on", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    missing = "".join(reason["message"] for reason in r["reasons"] if reason["code"] == "N_CPU_COUNTERS")
    assert [name for name in EVENTS if r["cpu_counters"][name] is None] == [name for name in EVENTS if name in missing]
    for name in EVENTS:
        each = [thread["cpu_counters"][name] for thread in r["threads"]]
        assert len(each) == 2 and (None in each or r["cpu_counters"][name] == sum(each))
    counted = r["cpu_counters"]["counted"]
    assert r["status"] == "ok" and (0 < counted <= 1 or counted == 0 and "nmi_watchdog" in missing)


def test_workers_that_may_open_few_files_are_not_counted_and_nothing_else_lacks_any(tmp_path):
    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))

    done = run("chain", "--cpu-counters", "on", out=tmp_path, preexec_fn=few_files)
    assert done.returncode == 0, done.stderr
    r = results_of(tmp_path)
    assert ({r["cpu_counters"][name] for name in EVENTS} == {None}
            and all(t["migrations"] is not None for t in r["threads"]))
    [message] = [reason["message"] for reason in r["reasons"] if reason["code"] == "N_CPU_COUNTERS"]
    assert "ulimit -n" in message and r["status"] == "ok"


def test_a_hybrid_cpu_is_reported_as_counted_on_one_kind_of_core(tmp_path):
    (tmp_path / "bus/event_source/devices/cpu_atom").mkdir(parents=True)
    done = subprocess.run([PROGRAM, "--out", tmp_path, "--cpu-counters", "on"], capture_output=True, text=True,
                          timeout=LIMIT_S,
                          env={**environment("powered"), "WEIR_FIXTURE_SYSFS": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    [message] = [it["message"] for it in results_of(tmp_path)["reasons"] if it["code"] == "N_CPU_COUNTERS"]
    assert message.endswith("this CPU has two kinds of cores, and only the P-cores were counted")


def test_of_all_threads_is_nothing_that_one_of_them_lacks(tmp_path):
    assert run("absent", "--cpu-counters", "on", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    [message] = [reason["message"] for reason in r["reasons"] if reason["code"] == "N_CPU_COUNTERS"]
    [thread] = r["threads"]
    assert {r["cpu_counters"][name] for name in EVENTS} == {None}
    assert thread["cpu_counters"]["page_faults"] is None or "page_faults: not every worker was counted" in message


def test_counters_that_are_not_requested_stay_off(tmp_path):
    assert run("chain", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    assert r["cpu_counters"] is None and {thread["cpu_counters"] for thread in r["threads"]} == {None}
    assert "N_CPU_COUNTERS" not in codes(r)


def test_energy_is_of_the_run_or_says_why_not(tmp_path):
    assert run("chain", "--param", "stage.delay_us=2000", "--items", "400k", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    energy = r["energy"]
    assert r["elapsed_s"] < energy["interval_s"] < r["elapsed_s"] + 1
    assert energy["joules"] is not None or energy["why_not"] and energy["items_per_joule"] is None


def test_energy_is_measured_from_the_barrier_to_the_end_across_a_wrap_around(tmp_path):
    package = tmp_path / "class/powercap/intel-rapl:0"
    package.mkdir(parents=True)
    for name, text in {"name": "package-0", "max_energy_range_uj": "262143328850", "energy_uj": "262143328850"}.items():
        (package / name).write_text(f"{text}\n")
    program = subprocess.Popen([PROGRAM, "--out", tmp_path, "--progress", "json", "--param", "stage.delay_us=10000",
                                "--items", "1M"], text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               env={**environment("powered"), "WEIR_FIXTURE_SYSFS": str(tmp_path)})
    with program:
        next(line for line in program.stderr if json.loads(line)["done"] > 0)
        (package / "energy_uj").write_text("2500000\n")
        program.communicate(timeout=LIMIT_S)
    energy = results_of(tmp_path)["energy"]
    assert energy["zones"] == [{"name": "package-0", "joules": 2.5}] and energy["joules"] == 2.5
    assert energy["items_per_joule"] == 1e6 / 2.5 and energy["why_not"] is None


def test_a_run_that_is_too_short_has_no_items_per_joule_and_says_so(tmp_path):
    package = tmp_path / "class/powercap/intel-rapl:0"
    package.mkdir(parents=True)
    (package / "name").write_text("package-0\n")
    program = subprocess.Popen([PROGRAM, "--out", tmp_path, "--param", "stage.delay_us=1000", "--items", "200k"],
                               stdout=subprocess.DEVNULL,
                               env={**environment("powered"), "WEIR_FIXTURE_SYSFS": str(tmp_path)})
    with program:
        for energy_uj in count():
            (tmp_path / "next").write_text(f"{energy_uj}\n")
            (tmp_path / "next").rename(package / "energy_uj")
            if program.poll() is not None:
                break
    r = results_of(tmp_path)
    energy = r["energy"]
    assert energy["joules"] > 0 and r["throughput_items_per_s"] > 0
    short = energy["interval_s"] < 0.1  # a busy machine may take longer
    assert ((energy["items_per_joule"] is None) == short
            and (energy["why_not"] or "").startswith("items_per_joule") == short)


def test_lttng_without_a_session_falls_back_and_says_so(tmp_path):
    home = tmp_path / "home"      # LTTng looks here for an unprivileged session daemon and finds none
    home.mkdir()
    done = subprocess.run([PROGRAM, "--trace", "lttng", "--items", "20k", "--out", str(tmp_path)], capture_output=True,
                          text=True,
                          env={**environment("chain"), "LTTNG_UST_REGISTER_TIMEOUT": "0", "LTTNG_HOME": str(home)},
                          timeout=LIMIT_S)
    r = results_of(tmp_path)
    assert done.returncode == 0
    if r["trace"]["backend"] == "lttng":
        pytest.skip("a session of this machine records weir:*")
    assert r["trace"]["backend"] == "memory" and "N_TRACE_IN_MEMORY" in codes(r)
    assert "memory" in done.stdout


def test_a_short_window_is_flagged(tmp_path):
    assert run("chain", "--items", "20k", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    assert r["status"] == "ok" and "N_SHORT_WINDOW" in codes(r)


@pytest.mark.parametrize("arguments, part", [
    (["--param", "stage.b=1"], "did you mean `stage.a`"),
    (["--param", "stage.a=11"], "from -10 to 10"),
    (["--param", "stage.a"], "instance.parameter=value"),
    (["--param", "stage.b=1", "--repeat", "3"], "did you mean"),
    (["stray"], "unexpected argument"),
])
def test_bad_usage_is_reported_and_exits_2(tmp_path, arguments, part):
    done = run("chain", *arguments, out=tmp_path / "out")
    assert done.returncode == 2
    assert part in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""
    assert not (tmp_path / "out" / "results.json").exists()


def test_help_lists_options_and_parameters():
    done = run("chain", "--help")
    assert done.returncode == 0
    for text in ("--items", "--repeat", "--verify", "stage.a = 0.75", "source.label = ramp"):
        assert text in done.stdout


def test_repeat_is_a_process_and_a_folder_each(tmp_path):
    done = run("chain", "--repeat", "3", "--items", "20k", "--json", "--run-id", "x", out=tmp_path)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert [r["repetition"] for r in printed] == [0, 1, 2]
    assert [r["run_id"] for r in printed] == ["x-1", "x-2", "x-3"]
    for k, r in enumerate(printed, 1):
        assert r == results_of(tmp_path / str(k))
    assert len({t["tid"] for r in printed for t in r["threads"]}) == 6


def test_json_prints_an_array_of_one(tmp_path):
    done = run("chain", "--items", "20k", "--json", out=tmp_path)
    assert json.loads(done.stdout) == [results_of(tmp_path)]


def test_progress_is_one_object_a_line_with_the_rate_since_items_flow(tmp_path):
    done = run("chain", "--progress=json", "--items", "400k", "--param", "stage.delay_us=10k", "--param",
               "stage.start_us=700k", "--run-id", "me", out=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert len(lines) >= 3
    assert all(set(line) == {"phase", "done", "total", "eta_s", "run_id", "items_per_s"} for line in lines)
    assert [line["done"] for line in lines] == sorted(line["done"] for line in lines)
    assert lines[-1]["done"] == lines[-1]["total"] == 400_000 and lines[-1]["run_id"] == "me"
    assert lines[0]["done"] == lines[0]["items_per_s"] == 0 and lines[0]["eta_s"] is None
    assert all(line["items_per_s"] > 0.6 * lines[-1]["items_per_s"] for line in lines if line["done"] > 50_000)


def test_verify_agrees(tmp_path):
    done = run("chain", "--verify", out=tmp_path)
    assert done.returncode == 0, done.stderr
    v = results_of(tmp_path)["verification"]
    assert (v["ok"] and v["sinks"][0]["items"] == 1_000_500
            and v["sinks"][0]["digest"] == v["sinks"][0]["reference_digest"])
    assert v["message"] == "1000500 items equal to the single_thread scheduler's" and v["message"] in done.stdout
    assert results_of(tmp_path)["sinks"][0]["expected"] == 1_000_500


@pytest.mark.parametrize(("fixture", "scheduler"), [("alone", "single_thread"), ("scheduled", "beforehand")])
def test_a_program_with_one_order_says_that_it_was_compared_with_itself(tmp_path, fixture, scheduler):
    done = run(fixture, "--verify", "--items", "3000", out=tmp_path)
    r = results_of(tmp_path)
    v = r["verification"]
    assert done.returncode == 0 and v["ok"] and v["scheduler"] == scheduler and codes(r) == {"W_VERIFIED_BY_ITSELF"}
    assert v["message"] == "3000 items equal to a second run's" and "W_VERIFIED_BY_ITSELF" in done.stdout


def test_the_fill_of_a_place_in_an_arena_is_not_measured(tmp_path):
    assert run("scheduled", "--items", "3000", "--metrics", "counters", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    assert [(e["from"], e["to"], e["buffer_items"], e["fill_mean"]) for e in r["edges"]] == [
        ("source.out", "stage.in", 1024, None), ("stage.out", "sink.in", 1024, None)]
    assert r["granted"]["buffers"] == {"source.out": 1024, "stage.out": 1024} and r["blocks"][1]["calls"] == 3


@pytest.mark.parametrize("backend", ["lttng", "memory", "off"])
def test_verify_writes_no_trace_whatever_is_asked(tmp_path, backend):
    done = run("chain", "--verify", "--items", "20k", "--trace", backend, "--metrics", "profile", out=tmp_path)
    r = results_of(tmp_path)
    assert done.returncode == 0 and r["trace"]["backend"] == "off" and r["trace"]["events"] is None
    assert r["metrics"] == "none" and codes(r) == set()
    assert r["speed_check"] is None and r["throughput_items_per_s"] is None


def test_a_verification_without_reference_runs_once_and_keeps_what_is_tapped(tmp_path):
    """Verify without a reference. The fixture gives other results in its second flowgraph."""
    done = run("unsteady", "--verify", "--without-reference", "--items", "3000", "--tap", "stage.out", "--tap",
               "source.out",
               out=tmp_path)
    assert done.returncode == 0, done.stdout
    r = results_of(tmp_path)
    assert r["verification"] is None and [s["items"] for s in r["sinks"]] == [3000] and r["sinks"][0]["digest"]
    stage, source = (struct.unpack("<3000f", (tmp_path / f"tap-{i}.items").read_bytes()) for i in range(2))
    assert source == stage == tuple(float(i % 1021) for i in range(3000))


def test_a_tap_that_is_not_there_is_bad_usage(tmp_path):
    done = run("chain", "--verify", "--tap", "sink.out", out=tmp_path)
    assert done.returncode == 2 and "--tap sink.out" in done.stderr


def test_verify_notices_another_answer(tmp_path):
    done = run("unsteady", "--verify", out=tmp_path)
    assert done.returncode == 4
    r = results_of(tmp_path)
    assert r["status"] == "invalid" and codes(r) == {"E_VERIFY"} and not r["verification"]["ok"]
    assert "MISMATCH" in done.stdout
