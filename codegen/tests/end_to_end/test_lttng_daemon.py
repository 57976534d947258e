"""Test the session daemon: which process starts it, which stops it, and its state after a kill."""

from __future__ import annotations

import pytest
from lttng_world import in_world, needs_lttng


@needs_lttng
def test_a_daemon_that_was_there_before_stays(tmp_path):
    ended = in_world(tmp_path, """
subprocess.run(["lttng-sessiond", "--daemonize", "--no-kernel"], check=True)
subprocess.run(["lttng", "create", "theirs", f"--output={out / 'theirs'}"], check=True, stdout=subprocess.DEVNULL)
with lttng.Session("guest", out / "trace", predicted_events=10):
    both = lttng_daemon.session_names()
report(both=both)
""")
    assert sorted(ended["both"]) == ["theirs", "weir-guest"]
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (["theirs"], [], True)


@needs_lttng
def test_a_users_daemon_stays_without_sessions(tmp_path):
    ended = in_world(tmp_path, """
subprocess.run(["lttng-sessiond", "--daemonize", "--no-kernel"], check=True)
with lttng.Session("guest", out / "trace", predicted_events=10):
    pass
report()
""")
    assert (ended["sessions"], ended["daemon"]) == ([], True)


@needs_lttng
@pytest.mark.parametrize("first, last", [("starter", "guest"), ("guest", "starter")])
def test_the_last_run_stops_the_daemon_that_weir_started(tmp_path, first, last):
    ended = in_world(tmp_path, f"""
sessions = {{name: lttng.Session(name, out / name, predicted_events=10) for name in ("starter", "guest")}}
for session in sessions.values():
    session.__enter__()
sessions["{first}"].__exit__()
between = leftovers()
sessions["{last}"].__exit__()
report(between=between)
""")
    assert ended["between"] == {"sessions": [f"weir-{last}"], "notes": [f"weir-{last}.json"], "daemon": True}
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (None, [], False)


@needs_lttng
def test_a_users_session_in_our_daemon_keeps_it_until_a_later_run_leaves(tmp_path):
    ended = in_world(tmp_path, """
with lttng.Session("first", out / "first", predicted_events=10):
    lttng_daemon.lttng("create", "theirs", f"--output={out / 'theirs'}")
kept = leftovers()
lttng_daemon.lttng("destroy", "theirs")
with lttng.Session("later", out / "later", predicted_events=10):
    pass
report(kept=kept)
""")
    assert ended["kept"] == {"sessions": ["theirs"], "notes": [], "daemon": True}
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (None, [], False)


@needs_lttng
def test_the_daemon_of_a_killed_run_is_stopped_by_the_run_that_was_in_it_too(tmp_path):
    ended = in_world(tmp_path, """
ready, tell = os.pipe()
killed = os.fork()
if killed == 0:
    lttng_place.Guardian.start = lambda guardian: None  # as if it had been killed too
    with lttng.Session("killed", out / "killed", predicted_events=10):
        os.write(tell, b"!")
        signal.pause()
os.read(ready, 1)
with lttng.Session("other", out / "other", predicted_events=10):
    os.kill(killed, signal.SIGKILL)
    os.waitpid(killed, 0)
    cleaned = lttng_daemon.clean_leftovers()
    between = leftovers()
report(cleaned=cleaned, between=between)
""")
    assert ended["cleaned"] == ["weir-killed"]
    assert ended["between"] == {"sessions": ["weir-other"], "notes": ["weir-other.json"], "daemon": True}
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (None, [], False)


@needs_lttng
@pytest.mark.parametrize("runtime", ["runtime", "of its own"])
def test_a_run_that_comes_while_the_last_one_leaves_gets_a_daemon(tmp_path, runtime):
    (tmp_path / runtime).mkdir(exist_ok=True)
    ended = in_world(tmp_path, f'there = {{**os.environ, "XDG_RUNTIME_DIR": str(out / "{runtime}")}}' + '''
names, arrived, runs = lttng_daemon.session_names, out / "arrived", []
comes = """
import sys, time
from pathlib import Path
from weir.engine.measuring import lttng
session = lttng.Session("comes", Path(sys.argv[1]) / "comes", predicted_events=10)
with session:
    (Path(sys.argv[1]) / "arrived").touch()
    time.sleep(0.5)
sys.exit(session.outcome.failure)
"""
def names_and_then_somebody_comes():
    seen = names()
    runs.append(subprocess.Popen([sys.executable, "-c", comes, str(out)], env=there, stderr=subprocess.PIPE, text=True))
    deadline = time.monotonic() + 1
    while not arrived.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return seen
with lttng.Session("leaves", out / "leaves", predicted_events=10):
    lttng_daemon.session_names = names_and_then_somebody_comes
lttng_daemon.session_names = names
[said] = [run.communicate(timeout=60)[1] for run in runs]
report(said=said.strip())
''')
    assert ended["said"] == ""
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (None, [], False)


@needs_lttng
def test_the_next_run_cleans_up_after_one_that_was_killed(tmp_path):
    ended = in_world(tmp_path, """
killed = os.fork()
if killed == 0:
    lttng_place.Guardian.start = lambda guardian: None  # as if it had been killed too
    with lttng.Session("killed", out / "killed", predicted_events=10):
        os.kill(os.getpid(), signal.SIGKILL)
os.waitpid(killed, 0)
before = leftovers()
cleaned = lttng_daemon.clean_leftovers()
report(before=before, cleaned=cleaned)
""")
    assert ended["before"] == {"sessions": ["weir-killed"], "notes": ["weir-killed.json"], "daemon": True}
    assert ended["cleaned"] == ["weir-killed"]
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (None, [], False)


@needs_lttng
def test_the_session_of_a_run_that_still_goes_is_left_alone(tmp_path):
    ended = in_world(tmp_path, """
with lttng.Session("going", out / "trace", predicted_events=10):
    cleaned = lttng_daemon.clean_leftovers()
    during = leftovers()
report(cleaned=cleaned, during=during)
""")
    assert ended["cleaned"] == [] and ended["during"]["sessions"] == ["weir-going"]


#: End of a script: reports what remains after the guardian's grace period.
AT_LAST = """
deadline = time.monotonic() + 20
while (leftovers()["daemon"] or leftovers()["notes"]) and time.monotonic() < deadline:
    time.sleep(0.05)
"""


@needs_lttng
def test_the_runs_of_a_command_have_one_daemon_which_goes_when_nobody_waits_for_it(tmp_path):
    ended = in_world(tmp_path, """
from weir.engine.measuring.readying import readying
pids = []
with readying({"lttng"}) as ready:
    ready()
    waiting = leftovers()
    for name in ("first", "second"):
        with lttng.Session(name, out / name, predicted_events=10):
            pids.append(daemon_pid())
    pids.append(daemon_pid())
    begun = time.monotonic()
took = time.monotonic() - begun
""" + AT_LAST + "report(waiting=waiting, pids=pids, took=took)")
    assert len(set(ended["pids"])) == 1 and ended["took"] < 0.4
    [name] = ended["waiting"]["sessions"]
    assert name.startswith("weir-waiting-") and ended["waiting"]["notes"] == [f"{name}.json"]
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (None, [], False)


@needs_lttng
def test_without_a_guardian_the_daemon_is_stopped_all_the_same(tmp_path):
    ended = in_world(tmp_path, """
from weir.engine.measuring.readying import readying
from weir.engine.measuring.guardian import Guardian
Guardian.start = lambda guardian: None
with readying({"lttng"}) as ready:
    ready()
report()
""")
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (None, [], False)


@needs_lttng
def test_a_daemon_of_the_users_loses_only_the_session_that_waited_and_its_current_one_stays(tmp_path):
    ended = in_world(tmp_path, """
from weir.engine.measuring.readying import readying
subprocess.run(["lttng-sessiond", "--daemonize", "--no-kernel"], check=True)
subprocess.run(["lttng", "create", "theirs", "--no-output"], check=True, stdout=subprocess.DEVNULL)
chosen = Path(os.environ["LTTNG_HOME"], ".lttngrc")
before = chosen.read_text()
with readying({"lttng", "memory"}) as ready:
    ready()
    during = lttng_daemon.session_names(), chosen.read_text() == before
deadline = time.monotonic() + 20
while (len(lttng_daemon.session_names()) > 1 or leftovers()["notes"]) and time.monotonic() < deadline:
    time.sleep(0.05)  # its note goes after it
report(during=during, afterwards=chosen.exists() and chosen.read_text() == before)
""")
    names, unchanged = ended["during"]
    assert len(names) == 2 and unchanged and ended["afterwards"]
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (["theirs"], [], True)


@pytest.mark.parametrize("backends", [{"memory"}, {"off"}, set(), {"lttng"}])
def test_what_is_not_there_is_no_error_while_a_run_is_got_ready(tmp_path, monkeypatch, backends):
    from weir.engine.measuring.readying import readying

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with readying(backends) as ready:
        ready()
    assert not [*tmp_path.glob("weir/lttng/*")] or "lttng" in backends
