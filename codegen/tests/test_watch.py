"""Test `weir report --watch`: the page is renewed while its sweep runs, which continues while the watch waits."""

from __future__ import annotations

import itertools
import os
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest
from sweep_world import AXES, program, sweep
from weir import cli
from weir.cli.verbs import report
from weir.lab.sweeping.state import STATE
from weir.read.reporting.figures import Drawing
from weir.read.reporting.report import REFRESH

ONE_POINT = (AXES[0],)


@pytest.fixture(autouse=True)
def own_lock_and_no_drawing(monkeypatch, tmp_path):
    before = signal.signal(signal.SIGINT,
                           signal.default_int_handler)  # an ignored signal stays ignored, as in a background process
    monkeypatch.setenv("WEIR_LOCK", str(tmp_path / "lock"))
    monkeypatch.setattr(Drawing, "render", lambda self, *forms: {form: b"<svg></svg>" for form in forms})
    monkeypatch.setattr("weir.read.reporting.report._write_graph", lambda *_: None)
    yield
    signal.signal(signal.SIGINT, before)


def a_block(tmp_path: Path) -> None:
    """Complete one more block, of three."""
    clock = itertools.count(0, 10)
    sweep(tmp_path / "out", program(tmp_path / "world"), axes=ONE_POINT, most_s=25, clock=lambda: next(clock)).go_on()


def watch(tmp_path: Path, monkeypatch, *meanwhile) -> int:
    """Run the watch; each of its waits calls the next step."""
    steps = iter(meanwhile)
    monkeypatch.setattr(report, "time", SimpleNamespace(sleep=lambda seconds: next(steps)()))
    return cli.main(["report", str(tmp_path / "out"), "--watch", "-o", str(tmp_path / "p.html")])


def left(tmp_path: Path) -> set[str]:
    return {path.name for path in tmp_path.iterdir()}


def test_it_renews_the_page_after_every_block_until_all_are_measured(tmp_path, monkeypatch, capsys):
    a_block(tmp_path)
    seen = []

    def look_and_go_on():
        text = (tmp_path / "p.html").read_text()
        seen.append((REFRESH in text, "in 1 of 3 rounds" in text, "in 2 of 3 rounds" in text))
        a_block(tmp_path)

    assert watch(tmp_path, monkeypatch, look_and_go_on, look_and_go_on) == 0
    assert seen == [(True, True, False), (True, False, True)]
    text = (tmp_path / "p.html").read_text()
    assert REFRESH not in text and "6 runs of 2 points in 3 of 3 rounds" in text
    said = capsys.readouterr().err
    assert "2 runs of 2 points in 1 of 3 rounds, not finished" in said and said.count("p.html") == 3
    assert left(tmp_path) == {"out", "world", "lock", "p.html", "p_figures"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_the_page_is_whole_and_stays_as_it_is(tmp_path, monkeypatch, number):
    a_block(tmp_path)
    before = signal.getsignal(number)
    assert watch(tmp_path, monkeypatch, lambda: os.kill(os.getpid(), number)) == cli.INTERRUPTED
    assert signal.getsignal(number) is before
    text = (tmp_path / "p.html").read_text()
    assert REFRESH not in text and text.endswith("</html>") and "in 1 of 3 rounds" in text
    assert left(tmp_path) == {"out", "world", "lock", "p.html", "p_figures"}


def test_a_signal_as_it_draws_leaves_nothing_by_half(tmp_path, monkeypatch):
    a_block(tmp_path)
    monkeypatch.setattr("weir.read.reporting.report.make_report", lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    assert watch(tmp_path, monkeypatch) == cli.INTERRUPTED
    assert left(tmp_path) == {"out", "world", "lock"}


def test_a_sweep_that_is_gone_is_reported_and_its_last_page_stays(tmp_path, monkeypatch, capsys):
    a_block(tmp_path)
    assert watch(tmp_path, monkeypatch, (tmp_path / "out" / STATE).unlink) == 2
    assert "the sweep was removed" in capsys.readouterr().err
    assert REFRESH not in (tmp_path / "p.html").read_text()


def test_a_sweep_without_a_run_is_waited_for(tmp_path, monkeypatch, capsys):
    sweep(tmp_path / "out", program(tmp_path / "world"), axes=ONE_POINT).write_table()
    assert watch(tmp_path, monkeypatch, lambda: os.kill(os.getpid(), signal.SIGINT)) == cli.INTERRUPTED
    assert "no measurements yet" in capsys.readouterr().err and "p.html" not in left(tmp_path)


@pytest.mark.parametrize("words, said", [([".", "--watch"], "E_SWEEP_FOLDER"), ([".", ".", "--watch"], "E_USAGE")])
def test_what_is_no_sweep_is_reported(tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["report", *words]) != 0
    assert said in capsys.readouterr().err


def test_nothing_is_drawn_beside_a_measurement(tmp_path, monkeypatch):
    import fcntl

    a_block(tmp_path)
    free = []

    def drawing(*_):
        with open(tmp_path / "lock") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                free.append(True)
            except BlockingIOError:
                free.append(False)
        raise KeyboardInterrupt

    monkeypatch.setattr("weir.read.reporting.report.make_report", drawing)
    assert watch(tmp_path, monkeypatch) == cli.INTERRUPTED and free == [False]
