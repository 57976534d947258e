"""Compile, record and adopt the program of docs/tracepoints.md, which uses nothing of Weir; and detect its mutants."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from documents import commands
from graph_reference import expected_sinks
from lttng_world import command, environment, missing, needs_lttng
from weir import cli
from weir.engine.measuring.run_directory import StoredRun, load_run

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = ROOT / "docs" / "tracepoints.md"
PAGE = DOCUMENT.read_text(encoding="utf-8")
FOLDER = ROOT / "docs" / "tracepoints"
PROJECT = ROOT / "examples" / "quickstart.weir.json"
ITEMS, GRANULARITY = 3_000_000, 32768
BOUNDARIES = ITEMS // GRANULARITY
SENT = "lttng_ust_tracepoint(weir, tx, kSource, k, 0);"
RECEIVED = "lttng_ust_tracepoint(weir, rx, kSink, k, entry_ns);"

#: Replacements in the program: old text -> new text.
MUTANTS = {
    "whole": {},
    # The source's event comes a millisecond after the items have left.
    "late": {SENT: "",
             "before = after;": f"for (std::uint64_t k = before / kGranularity + 1; k * kGranularity <= after; "
             f"++k) {{ std::this_thread::sleep_for(std::chrono::milliseconds(1)); {SENT} }} before = after;",
             "#include <thread>": "#include <chrono>\n#include <thread>"},
    # One event per call, for its last boundary, where a call covers more than one boundary.
    "sparse": {"kChunk = 4096": "kChunk = 65536", RECEIVED: f"if ((k + 1) * kGranularity > after) {RECEIVED}"},
}

RECORD = f"""
import atexit, subprocess, sys
from lttng_world import end_daemon
atexit.register(end_daemon)
script, out, *names = sys.argv[1:]
for name in names:
    folder = f"{{out}}/{{name}}"
    subprocess.run(["sh", script, folder, "./program", "{ITEMS}"], cwd=folder, check=True)
# Another program with the same provider runs before, while and after one is recorded.
program = f"{{out}}/whole/program"
other = subprocess.Popen([program, str(10**13)], cwd=out, stdout=subprocess.DEVNULL)
subprocess.run(["sh", script, f"{{out}}/beside/another", program, "{ITEMS}"], check=True)
assert other.poll() is None
other.kill()
other.wait()
"""

#: Run a script of the shell, and end the session daemon that it started.
IN_SHELL = """
import atexit, subprocess, sys
from lttng_world import end_daemon
atexit.register(end_daemon)
subprocess.run(["sh", "-c", sys.argv[1]], check=True)
"""
STREAMPU = os.environ.get("WEIR_STREAMPU")


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the output of each mutant, under its name."""
    if missing():
        pytest.skip(missing())
    out = tmp_path_factory.mktemp("programs")
    [words] = re.findall(r"g\+\+ (-std=.*) program\.cpp -o program (.*)", (FOLDER / "program.cpp").read_text())
    for name, changes in MUTANTS.items():
        text = (FOLDER / "program.cpp").read_text()
        for old, new in changes.items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        folder = out / name
        folder.mkdir()
        (folder / "program.cpp").write_text(text)
        subprocess.run(["g++", *words[0].replace("-I.", f"-I{FOLDER}").split(), str(folder / "program.cpp"), "-o",
                        str(folder / "program"), *words[1].split()], check=True)
    subprocess.run(command(sys.executable, "-c", RECORD, str(FOLDER / "record.sh"), str(out), *MUTANTS),
                   env=environment(out), check=True, timeout=120, capture_output=True)
    return out


def adopted(folder: Path, out: Path, code: int) -> StoredRun:
    assert cli.main(["import", str(folder), "--project", str(PROJECT), "--out", str(out)]) == code
    [path] = out.iterdir()
    return load_run(path)


def codes(run: StoredRun) -> set[str]:
    return {reason["code"] for reason in run.results["reasons"] if reason["code"].startswith("E_")}


@needs_lttng
def test_the_program_of_the_page_is_adopted_and_reported(left: Path, tmp_path: Path, capsys) -> None:
    run = adopted(left / "whole", tmp_path / "runs", 0)
    results, trace = run.results, run.results["trace"]
    assert run.status == "ok" and results["runtime"]["target"] == "two_threads"
    [(items, digest)] = expected_sinks(PROJECT, PROJECT.parent, {"/run/items": str(ITEMS)}).values()
    assert results["sinks"] == [{"id": "sink", "items": items, "expected": ITEMS, "digest": digest}]
    assert (trace["backend"], trace["events"], trace["discarded"]) == ("lttng", 2 * BOUNDARIES, 0)
    latency = results["latency"]
    # Boundaries after the first tenth of the items that reached the sink within the window.
    assert BOUNDARIES - ITEMS // 10 // GRANULARITY - 1 <= latency["count"] <= BOUNDARIES and latency["lost"] == 0
    assert 0 < latency["p50_ns"] <= latency["p95_ns"] if latency["p95_ns"] else 0 < latency["p50_ns"]
    assert results["throughput_items_per_s"] > 1e5 and results["elapsed_s"] > results["window_s"] > 0
    assert cli.main(["report", str(run.path), "-o", str(tmp_path / "r.html")]) == 0
    assert "two_threads" in (tmp_path / "r.html").read_text()


@needs_lttng
def test_events_of_another_program_are_not_recorded(left: Path, tmp_path: Path) -> None:
    run = adopted(left / "beside" / "another", tmp_path / "runs", 0)
    assert run.status == "ok" and run.results["trace"]["events"] == 2 * BOUNDARIES
    assert run.results["latency"]["lost"] == 0


def test_a_trace_is_not_recorded_over_another(tmp_path: Path) -> None:
    (tmp_path / "trace").mkdir()
    done = subprocess.run(["sh", str(FOLDER / "record.sh"), str(tmp_path), "true"], capture_output=True, text=True)
    assert done.returncode == 2 and "trace exists: choose another folder" in done.stderr


@needs_lttng
@pytest.mark.parametrize("name, code", [("late", "E_NEGATIVE_LATENCY"), ("sparse", "E_LOST")])
def test_a_program_that_breaks_the_rules_is_found_out(name: str, code: str, left: Path, tmp_path: Path) -> None:
    run = adopted(left / name, tmp_path / "runs", 4)
    assert run.status == "invalid" and code in codes(run)
    assert run.results["sinks"][0]["items"] == ITEMS and (run.path / "trace").is_dir()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder like the tree, in a git repository of its own."""
    folder = tmp_path / "tree"
    folder.mkdir()
    for path in ROOT.iterdir():
        if path.name not in ("build", "runs") and not path.name.startswith("."):
            (folder / path.name).symlink_to(path)
    for words in ("init -q", "-c user.name=A -c user.email=a@b.invalid commit -q --allow-empty -m runtimes"):
        subprocess.run(["git", *words.split()], cwd=folder, check=True)
    return folder


@needs_lttng
def test_the_commands_of_the_page_record_import_and_compare_two_runtimes(tree: Path, tmp_path: Path) -> None:
    texts = [it.text for it in commands(DOCUMENT)]
    texts = texts[next(at for at, text in enumerate(texts) if text.startswith("g++")):]
    built = texts.index(next(text for text in texts if text.startswith("for ")))
    texts.insert(built, texts.pop())  # the last command builds again, with the commit
    assert "-DREVISION=" in texts[built] and "seq 10" in texts[built + 1]
    short = [re.sub("seq 10", "seq 2", re.sub(r"(?<= )\./(program|queue)\b", rf"./\1 {ITEMS}", it)) for it in texts]
    script = "\n".join(["set -e", *(f"{it} || [ $? = 4 ]" if "compare" in it else it for it in short)])
    world = environment(tmp_path) | {"WEIR_SKIP_SETUP": "1"}
    done = subprocess.run(command(sys.executable, "-c", IN_SHELL, script), cwd=tree, env=world, capture_output=True,
                          text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=tree, check=True, capture_output=True, text=True).stdout
    runs = sorted(map(load_run, (tree / "both").iterdir()), key=lambda run: run.run["started"])
    assert [run.status for run in runs] == ["ok"] * 4, [run.results["reasons"] for run in runs]
    assert [run.results["deployment"] for run in runs] == ["two_threads", "queue"] * 2
    [digest] = {run.results["sinks"][0]["digest"] for run in runs}
    assert (ITEMS, digest) in expected_sinks(PROJECT, PROJECT.parent, {"/run/items": str(ITEMS)}).values()
    assert {(run.results["deployment"], run.results["environment"]["git_revision"]) for run in runs} == {
        ("two_threads", None), ("queue", commit.strip())}
    assert "two_threads → queue: not enough data  (2 rounds, in turns)" in done.stdout
    assert "quickstart · two_threads  ok, not verified" in done.stdout
    assert "queue" in (tree / "report.html").read_text() and commit.strip() in (tree / "report.html").read_text()


@needs_lttng
@pytest.mark.skipif(not STREAMPU, reason="WEIR_STREAMPU does not name a built checkout of StreamPU")
def test_a_program_of_streampu_is_recorded_and_imported_with_its_commit(tree: Path, tmp_path: Path) -> None:
    text = "".join(line.removeprefix("//") for line in (FOLDER / "streampu.cpp").read_text().splitlines(keepends=True)
                   if line.startswith("//  "))
    build = " ".join(text[text.index("g++"):].split()).replace("-I. ", f"-I{FOLDER} ")
    script = f"S={STREAMPU}; {build.replace('streampu.cpp', f'{FOLDER}/streampu.cpp')} && " \
             f"docs/tracepoints/record.sh pu ./streampu {ITEMS}"
    done = subprocess.run(command(sys.executable, "-c", IN_SHELL, script), cwd=tree, env=environment(tmp_path),
                          capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    run = adopted(tree / "pu", tmp_path / "runs", 0)
    [(items, digest)] = expected_sinks(PROJECT, PROJECT.parent, {"/run/items": str(ITEMS)}).values()
    assert (run.results["sinks"][0]["items"], run.results["sinks"][0]["digest"]) == (items, digest)
    assert run.results["deployment"] == "streampu" and run.results["latency"]["lost"] == 0
    assert re.fullmatch("[0-9a-f]{40}", run.results["environment"]["git_revision"])


def test_the_page_shows_the_files_that_are_tried() -> None:
    shown = dict(re.findall(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```", PAGE, re.DOTALL))
    assert set(shown) == {"docs/tracepoints/tracepoints.h", "docs/tracepoints/record.sh"}
    for name, text in shown.items():
        assert text == (ROOT / name).read_text(), name


def test_the_tracepoints_by_hand_are_those_of_the_runtime() -> None:
    def events(path: Path) -> dict[str, str]:
        return {name: " ".join(body.split()) for name, body in re.findall(
            r"LTTNG_UST_TRACEPOINT_EVENT\(weir, (\w+),\n(.*?\)\)\))\n", path.read_text(), re.DOTALL)}

    ours, by_hand = events(ROOT / "runtime/src/weir_tracepoints.h"), events(FOLDER / "tracepoints.h")
    assert set(by_hand) == {"tx", "rx"} and by_hand == {name: ours[name] for name in by_hand}
