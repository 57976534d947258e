"""Test the launcher: the arguments that reach Weir, and the packages that a verb needs."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from launcher_world import OF_A_RUN, ROOT, SUDO, Machine, bare_machine, packages, ready_machine, rows  # noqa: F401


def test_arguments_reach_python_unchanged(ready: Machine):
    arguments = ["run", "a b.weir.json", "--set", "x=$HOME `id` \"q\" 'q'", "", "*", "--json"]
    result = ready.run(*arguments)
    assert (result.returncode, result.stderr) == (0, "")
    call = json.loads(result.stdout)
    assert call["arguments"] == arguments
    assert call["python"] == "/usr/bin/python3"
    assert call["no_user_site"] == "1"
    given = ready.run("reproduce", "c.zip", WEIR_YES="yes")
    assert json.loads(given.stdout)["arguments"] == ["reproduce", "c.zip"]
    assert ready.calls() == ""


@pytest.mark.parametrize("words, reach", [
    ("--yes run --no-install p --yes", "run p"), ("run --yes p", "run p"),
    # Options of another program are left to it.
    ("--no-install isolate -- apt-get --yes --no-install -h -- x", "isolate -- apt-get --yes --no-install -h -- x"),
    # Only this one requires trust.
    ("reproduce --yes c.zip", "reproduce c.zip --yes")])
def test_the_launchers_own_options_do_not_reach_python(ready: Machine, words: str, reach: str):
    assert json.loads(ready.run(*words.split()).stdout)["arguments"] == reach.split()


def test_it_works_through_a_link_and_from_another_folder(ready: Machine, tmp_path: Path):
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    link = elsewhere / "w"
    link.symlink_to(ready.tree / "weir")
    result = ready.run("validate", "p", launcher=link, cwd=elsewhere)
    assert json.loads(result.stdout)["directory"] == str(elsewhere)


def test_python_imports_nothing_from_the_current_folder(ready: Machine, tmp_path: Path):
    (tmp_path / "json.py").write_text("raise SystemExit('a stranger')")
    assert ready.run("validate", "p", cwd=tmp_path).returncode == 0


def test_no_install_lists_what_is_missing_and_exits_3(machine: Machine):
    machine.install("python3", "g++")
    result = machine.run("run", "p", "--no-install")
    assert (result.returncode, result.stdout) == (3, "")
    command = next(line for line in result.stderr.splitlines() if "apt-get install" in line)
    missing = packages(*OF_A_RUN) - {"python3", "g++"}
    assert set(command.split("--no-install-recommends")[1].split()) == missing
    assert all(f"  {name} " in result.stderr for name in missing)
    assert machine.calls() == ""


def test_without_a_terminal_it_says_what_it_installs_and_continues(machine: Machine):
    result = machine.run("run", "p")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["arguments"] == ["run", "p"]
    update, install = machine.calls().splitlines()
    assert " update " in update
    assert " install --no-install-recommends " in install and install.endswith("frontend=noninteractive")
    for name in packages(*OF_A_RUN):
        assert f"  {name} " in result.stderr and f" {name} " in install
    assert machine.run("run", "p").stderr == ""
    assert machine.installed() == packages(*OF_A_RUN)


@pytest.mark.parametrize("command, groups", [
    ("generate p -o d", ["topology", "code"]), ("generate --build p", ["topology", "code", "build"]),
    ("runs list", []), ("runs trace r -o t.json", ["build", "trace"]),
    ("runs history d", ["report", "compare", "layout"]), ("format p", []), ("format --layout p", ["layout"]),
    ("doctor --install parquet", ["topology", "parquet"]), ("doctor --install=parquet", ["topology", "parquet"]),
    ("doctor --install gnuradio4 --source d", ["topology", "build", "gnuradio4"]),
    ("import x.grc -o p.weir.json", ["grc", "layout"]), ("import x.grc --output=p", ["grc", "layout"]),
    ("import mine", ["topology", "build", "trace"]), ("export p -o x.grc", ["topology", "grc"]),
    ("export p -ox.PNG", ["layout", "picture"]), ("export --picture p", ["layout", "picture"]),
    ("export s1 -o c.zip", ["report", "compare", "layout", "picture"]),
    ("export s1 -o c", ["topology", "grc", "report", "compare", "layout", "picture"]),
    ("reproduce r", ["topology", "code", "build", "trace", "compare", "table"]),
    ("layout p", ["layout"]), ("build p", ["topology", "code", "build"]), ("trace r -o t.json", ["build", "trace"]),
    ("", []), ("--help", []), ("run --help", []), ("edit -h", []), ("no_such_verb", []), ("validate p", [])])
def test_what_a_command_needs_follows_from_its_words(machine: Machine, command: str, groups: list[str]):
    assert machine.run(*command.split()).returncode == 0
    assert machine.installed() == packages("base", *groups)


def test_a_comparison_that_measures_gets_what_a_run_needs(machine: Machine):
    machine.run("compare", "a", "b")
    machine.run("compare", "a", "b", "--json", "-o", "c.json")
    machine.run("compare", "--output", "c.json", "a", "b")
    assert machine.installed() == packages("base", "compare")
    measured = packages(*OF_A_RUN, "compare")
    for project in ("p.weir.json", "p.json", "-"):
        machine.run("compare", project, "a", "b")
        assert machine.installed() == measured
        for name in packages("build"):
            (machine.state / "installed" / name).unlink(missing_ok=True)


@pytest.mark.parametrize("chosen, lacks", [("libvolk-dev", "libvolk2-dev"), ("libvolk2-dev", "libvolk-dev")])
def test_of_alternatives_the_first_that_the_release_has_is_installed(machine: Machine, chosen: str, lacks: str):
    """Try Debian 13's libvolk-dev and Debian 12's libvolk2-dev, which apt may learn only by `apt-get update`."""
    result = machine.run("run", "p", LACKS=lacks)
    assert result.returncode == 0, result.stderr
    installed = machine.installed()
    assert installed == packages(*OF_A_RUN) - {"libvolk-dev"} | {chosen}
    assert machine.run("run", "p", LACKS=lacks).stderr == ""


def test_messages_name_the_alternative_that_the_release_has(machine: Machine):
    unknown = machine.run("run", "p", "--no-install", LACKS="libvolk-dev").stderr
    assert "releases without libvolk-dev have libvolk2-dev instead" in unknown
    (machine.state / "lists").touch()
    known = machine.run("run", "p", "--no-install", LACKS="libvolk-dev").stderr
    assert "  libvolk2-dev " in known and "libvolk-dev" not in known and "have hwloc instead" not in known


def test_an_alternative_that_is_installed_is_as_good(ready: Machine):
    (ready.state / "installed/hwloc-nox").unlink()
    ready.install("hwloc")
    assert ready.run("run", "p", "--no-install").returncode == 0


@pytest.mark.parametrize("sudo_result, exit_code", [("0", 0), ("1", 3)])
def test_a_normal_user_without_a_terminal_needs_sudo_without_password(machine: Machine, sudo_result: str,
                                                                      exit_code: int):
    machine.user(1000)
    without = machine.run("run", "p")
    assert (without.returncode, machine.calls()) == (3, "")
    assert "sudo apt-get update && sudo apt-get install" in without.stderr
    machine.command("sudo", SUDO)
    assert machine.run("run", "p", SUDO_RESULT=sudo_result).returncode == exit_code
    assert ("sudo -n env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get" in machine.calls()) == (exit_code == 0)


@pytest.mark.parametrize("typed, words, code, asked", [("\n", ["run", "p"], 3, 1), ("y\n", ["run", "p"], 0, 1),
                                                      ("", ["run", "p", "--yes"], 0, 0)])
def test_on_a_terminal_it_asks_once_unless_yes_was_said(machine: Machine, typed: str, words: list[str], code: int,
                                                        asked: int):
    ended, shown = machine.run_in_terminal(typed, *words)
    assert (ended, shown.count("[y/N]")) == (code, asked)
    assert (" install " in machine.calls()) == (code == 0) == bool(machine.calls())


@pytest.mark.parametrize("complaint, explanation", [
    ("E: Unable to locate package libfftw3-dev", "Debian 13 and 12"),
    ("E: Could not get lock /var/lib/dpkg/lock-frontend", "another package manager"),
    ("Err: Temporary failure resolving 'mirror'", "network"),
    ("E: You don't have enough free space in /var/cache/apt/archives/.", "disk"),
    ("E: something new", "last lines"),
])
def test_a_failure_of_apt_is_shown_and_explained(machine: Machine, complaint: str, explanation: str):
    result = machine.run("run", "p", APT_COMPLAINT=complaint)
    assert (result.returncode, result.stdout) == (3, "")
    assert complaint in result.stderr and explanation in result.stderr


def test_a_package_source_that_does_not_answer_is_no_reason_to_stop(machine: Machine):
    result = machine.run("run", "p", APT_UPDATE_RESULT="100")
    assert result.returncode == 0 and "apt-get update reported errors" in result.stderr


def test_another_apt_at_work_is_waited_for(machine: Machine):
    (machine.state / "other-apt").touch()
    result = machine.run("run", "p")
    assert result.returncode == 0 and result.stderr.count("waiting for another package manager") == 1
    assert "reported errors" not in result.stderr
    words = [line.split()[0] for line in machine.calls().splitlines()]
    assert words == ["apt-get", "sleep"] * 3 + ["apt-get", "apt-get"]


def test_an_apt_that_never_ends_is_not_waited_for_for_ever(machine: Machine):
    result = machine.run("run", "p", APT_COMPLAINT="E: Could not get lock /var/lib/dpkg/lock-frontend")
    assert result.returncode == 3 and "did not end within five minutes" in result.stderr
    naps = [float(line.split()[1]) for line in machine.calls().splitlines() if line.startswith("sleep")]
    assert sum(naps) == 300


@pytest.mark.skipif(not shutil.which("apt-get"), reason="there is no apt-get here")
def test_the_lock_of_a_real_apt_is_waited_for(machine: Machine, tmp_path: Path):
    """Use apt's own files, in our folder: its update does not wait for the lock of the lists by itself."""
    apt = tmp_path / "apt"
    for folder in ("state/lists/partial", "cache/archives/partial", "etc/sources.list.d"):
        (apt / folder).mkdir(parents=True)
    (apt / "status").touch()
    (apt / "conf").write_text(f'Dir::State "{apt}/state"; Dir::State::status "{apt}/status"; Dir::Etc "{apt}/etc";\n'
                              f'Dir::Cache "{apt}/cache"; Dir::Log "{apt}/log";\n')
    for tool in ("apt-get", "sleep"):
        (machine.bin / tool).unlink()
        (machine.bin / tool).symlink_to(shutil.which(tool))
    with open(apt / "state/lists/lock", "w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        process = subprocess.Popen([machine.tree / "weir", "run", "p"], text=True, stdin=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, env={**machine.environment, "APT_CONFIG": str(apt / "conf")})
        said = next((line for line in process.stderr if "waiting" in line), "")
    rest = process.communicate(timeout=60)[1]
    assert "another package manager" in said
    assert "reported errors" not in rest and "Unable to locate package" in rest


def test_elsewhere_than_on_debian_it_names_the_packages_and_continues(machine: Machine):
    (machine.bin / "dpkg-query").unlink()
    result = machine.run("run", "p")
    assert json.loads(result.stdout)["arguments"] == ["run", "p"]
    assert "liblttng-ust-dev" in result.stderr
    assert machine.run("run", "p", WEIR_SKIP_SETUP="1").stderr == ""


def test_a_python_that_is_not_there_and_an_apt_that_installs_nothing_are_named(machine: Machine):
    machine.command("apt-get", "exit 0\n")
    nothing = machine.run("run", "p")
    assert nothing.returncode == 3 and "still not installed" in nothing.stderr
    machine.install(*(row[1].split("|")[0] for row in rows("packages.txt")))
    result = machine.run("run", "p", WEIR_PYTHON="/no/python3")
    assert result.returncode == 3 and "/no/python3" in result.stderr


@pytest.mark.parametrize("home", ["", "here", None])
def test_a_home_that_is_none_is_that_of_the_password_database(ready: Machine, home: str | None):
    ready.verb("import os; print(os.environ.get('HOME'))")
    given = {} if home is None else {"HOME": home}
    assert ready.run("x", **given).stdout == "None\n"
    ready.command("getent", "echo 'me:x:0:0::/home/me:/bin/sh'\n")
    assert ready.run("x", **given).stdout == "/home/me\n"


def test_modules_of_others_take_the_place_of_none_of_ours(tmp_path: Path):
    """Set PYTHONPATH, which GNU Radio's users export and planners may need."""
    for name in ("json", "argparse", "weir", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a stranger')\n")
    (tmp_path / "needed.py").write_text("print('found')\n")

    def weir(*words: object) -> subprocess.CompletedProcess[str]:
        done = subprocess.run([ROOT / "weir", *words], cwd=tmp_path, capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": f".:{tmp_path}", "WEIR_SKIP_SETUP": "1"})
        assert done.returncode == 0, done.stderr
        return done

    weir("new", "scheduler", "mine", "--planner", "-o", tmp_path)
    planner = tmp_path / "mine/planner.py"
    planner.write_text(planner.read_text().replace("\nfrom dataclasses", "\nimport needed\nfrom dataclasses"))
    said = weir("plan", ROOT / "examples/quickstart.weir.json", "--scheduler-path", tmp_path, "--set",
                "/deployments/0/scheduler=mine")
    assert "found" in said.stderr and "scheduler mine" in said.stdout


def test_a_runtime_is_installed_with_a_word_of_the_users_alone(machine: Machine):
    """Ask in the verb that runs a deployment, which knows the packages that it needs."""
    def offered(**environment: str) -> subprocess.CompletedProcess[str]:
        return machine.run("FutureSDR", "rust", launcher=machine.tree / "setup/runtime.sh", **environment)

    assert (offered().returncode, offered().stderr, machine.calls()) == (3, "", "")
    refused = offered(WEIR_YES="yes", WEIR_MAY_INSTALL="")
    assert refused.returncode == 3 and machine.calls() == ""
    assert "FutureSDR needs packages" in refused.stderr and "--no-install was given" in refused.stderr
    machine.command("cargo", "exit 1")  # the user has to repair an existing cargo
    assert (offered(WEIR_YES="yes").returncode, machine.calls()) == (0, "")
    (machine.bin / "cargo").unlink()
    assert offered(WEIR_YES="yes", WEIR_MAY_INSTALL="yes").returncode == 0
    assert "install --no-install-recommends cargo-web rustc-web" in machine.calls()


def test_every_group_of_a_verb_has_packages_and_every_group_has_a_verb():
    used = {group for row in rows("verbs.txt") for group in row[1:]}
    assert used | {"base"} == {row[0] for row in rows("packages.txt")}
    assert all(len(row) > 2 for row in rows("packages.txt")), "a package without a reason"


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
def test_shellcheck_has_nothing_to_say():
    scripts = [ROOT / "weir", ROOT / ".ci/run", *(ROOT / "setup").glob("*.sh"), *(ROOT / "ci").glob("*.sh")]
    result = subprocess.run(["shellcheck", "-x", *scripts], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
