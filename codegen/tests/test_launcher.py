"""The launcher, in a copy of its tree, with a PATH on which apt-get, apt-cache, dpkg-query, sudo and id are ours."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import shutil
import signal
import stat
import subprocess
from pathlib import Path

import pytest
from test_compilers import alive, comes_true

ROOT = Path(__file__).resolve().parents[2]
REAL_TOOLS = ("sh", "readlink", "dirname", "mktemp", "tail", "sed", "grep", "rm", "env", "mkdir", "true")
SHOW_CALL = """\
import json, os, sys
print(json.dumps({"arguments": sys.argv[1:], "directory": os.getcwd(), "python": sys.executable,
                  "no_user_site": os.environ.get("PYTHONNOUSERSITE")}))
"""
# An installed package is a file in $STATE/installed, and a call a line of $STATE/calls. The release has every package
# but those in $LACKS, and apt knows which once it has its lists, $STATE/lists.
DPKG_QUERY = """\
for name do
    case $name in -*) continue ;; esac
    state=not-installed
    [ ! -e "$STATE/installed/$name" ] || state=installed
    printf '|%s %s|' "$name" "$state"
done
"""
APT_GET = """\
echo "apt-get $* frontend=$DEBIAN_FRONTEND" >>"$STATE/calls"
if [ -e "$STATE/other-apt" ]; then
    echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)' >&2
    exit 100
fi
case " $* " in
    *" update "*) : >"$STATE/lists"; exit "${APT_UPDATE_RESULT:-0}" ;;
    *" install "*)
        for name in $LACKS; do
            case " $* " in *" $name "*) echo "E: Unable to locate package $name" >&2; exit 100 ;; esac
        done
        if [ -n "$APT_COMPLAINT" ]; then echo "$APT_COMPLAINT" >&2; exit 100; fi
        for name do case $name in -* | install | DPkg*) ;; *) : >"$STATE/installed/$name" ;; esac; done ;;
esac
"""
#: Nothing waits in these tests; another package manager ends in the third of its naps.
SLEEP = """\
echo "sleep $*" >>"$STATE/calls"
[ "$(grep -c sleep "$STATE/calls")" -ne 3 ] || rm -f "$STATE/other-apt"
"""
# What another package replaces, apt knows by name alone; it has nothing to install then.
APT_CACHE = """\
[ -e "$STATE/lists" ] || exit 0
candidate=1.0
case " $LACKS " in *" $2 "*) candidate='(none)' ;; esac
printf '%s:\\n  Installed: (none)\\n  Candidate: %s\\n' "$2" "$candidate"
"""
SUDO = """\
echo "sudo $*" >>"$STATE/calls"
[ "$SUDO_RESULT" = 0 ] || exit 1
[ "$1" != -n ] || shift
exec "$@"
"""


class Machine:
    """A copy of the launcher in a folder with a space in its name, and a machine on which nothing is installed."""

    def __init__(self, folder: Path):
        self.tree, self.bin, self.state = folder / "a tree", folder / "bin", folder / "state"
        (self.tree / "codegen/weir").mkdir(parents=True)
        shutil.copy(ROOT / "weir", self.tree)
        shutil.copytree(ROOT / "setup", self.tree / "setup")
        for module in (ROOT / "codegen/weir").iterdir():
            (self.tree / "codegen/weir" / module.name).symlink_to(module)
        self.verb(SHOW_CALL)
        self.bin.mkdir()
        (self.state / "installed").mkdir(parents=True)
        for tool in REAL_TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.command("dpkg-query", DPKG_QUERY)
        self.command("apt-get", APT_GET)
        self.command("sleep", SLEEP)
        self.command("apt-cache", APT_CACHE)
        self.user(0)
        self.environment = {"PATH": str(self.bin), "STATE": str(self.state), "TMPDIR": str(folder), "APT_COMPLAINT": "",
                            "LACKS": "", "WEIR_PYTHON": "/usr/bin/python3"}

    def command(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def verb(self, code: str) -> None:
        """Has the launcher start this in place of Weir."""
        (self.tree / "codegen/weir/__main__.py").unlink(missing_ok=True)
        (self.tree / "codegen/weir/__main__.py").write_text(code)

    def user(self, uid: int) -> None:
        self.command("id", f"echo {uid}\n")

    def install(self, *names: str) -> None:
        for name in names:
            (self.state / "installed" / name).touch()

    def calls(self) -> str:
        path = self.state / "calls"
        return path.read_text() if path.exists() else ""

    def run(self, *arguments: str, launcher: Path | None = None, cwd: Path | None = None,
            **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([launcher or self.tree / "weir", *arguments], cwd=cwd, env=self.environment | environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)

    def run_in_terminal(self, answer: str, *arguments: str) -> tuple[int, str]:
        """Exit code and what the terminal showed, after typing `answer`."""
        master, slave = pty.openpty()
        process = subprocess.Popen([self.tree / "weir", *arguments], env=self.environment, stdin=slave, stdout=slave,
                                   stderr=slave, close_fds=True)
        os.close(slave)
        os.write(master, answer.encode())
        shown = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        os.close(master)
        return process.wait(timeout=60), shown.decode()


def rows(name: str) -> list[list[str]]:
    lines = (ROOT / "setup" / name).read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def packages(*groups: str) -> set[str]:
    return {row[1].split("|")[0] for row in rows("packages.txt") if row[0] in groups}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def ready(machine: Machine) -> Machine:
    machine.install(*(row[1].split("|")[0] for row in rows("packages.txt")))
    return machine


def test_arguments_reach_python_unchanged(ready: Machine):
    arguments = ["run", "a b.weir.json", "--set", "x=$HOME `id` \"q\" 'q'", "", "*", "--json"]
    result = ready.run(*arguments)
    assert (result.returncode, result.stderr) == (0, "")
    call = json.loads(result.stdout)
    assert call["arguments"] == arguments
    assert call["python"] == "/usr/bin/python3"
    assert call["no_user_site"] == "1"
    assert ready.calls() == ""


def test_the_launchers_own_options_do_not_reach_python(ready: Machine):
    result = ready.run("--yes", "run", "--no-install", "p", "--yes")
    assert json.loads(result.stdout)["arguments"] == ["run", "p"]


def test_options_of_another_program_are_left_to_it(ready: Machine):
    words = ["isolate", "--", "apt-get", "--yes", "--no-install", "-h", "--", "x"]
    result = ready.run("--no-install", *words)
    assert json.loads(result.stdout)["arguments"] == words


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
    missing = packages("base", "topology", "code", "build", "trace") - {"python3", "g++"}
    assert set(command.split("--no-install-recommends")[1].split()) == missing
    assert all(f"  {name} " in result.stderr for name in missing)
    assert machine.calls() == ""


def test_without_a_terminal_it_says_what_it_installs_and_goes_on(machine: Machine):
    result = machine.run("run", "p")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["arguments"] == ["run", "p"]
    update, install = machine.calls().splitlines()
    assert " update " in update
    assert " install --no-install-recommends " in install and install.endswith("frontend=noninteractive")
    for name in packages("base", "topology", "code", "build", "trace"):
        assert f"  {name} " in result.stderr and f" {name} " in install
    assert machine.run("run", "p").stderr == ""


def test_a_verb_gets_its_own_packages_alone(machine: Machine):
    machine.run("run", "p")
    installed = set(os.listdir(machine.state / "installed"))
    assert installed == packages("base", "topology", "code", "build", "trace")
    machine.run("edit", "p")
    assert packages("editor", "window") <= set(os.listdir(machine.state / "installed"))


@pytest.mark.parametrize("command, groups", [
    ("generate p -o d", ["topology", "code"]), ("generate --build p", ["topology", "code", "build"]),
    ("runs list", []), ("runs trace r -o t.json", ["build", "trace"]),
    ("runs history d", ["report", "compare", "layout"]), ("format p", []), ("format --layout p", ["layout"]),
    ("doctor --install parquet", ["topology", "parquet"]),
    ("import x.grc -o p.weir.json", ["grc", "layout"]), ("import x.grc --output=p", ["grc", "layout"]),
    ("import mine", ["topology", "build", "trace"]), ("export p -o x.grc", ["topology", "grc"]),
    ("export p -ox.PNG", ["layout", "picture"]), ("export --picture p", ["layout", "picture"]),
    ("export s1 -o c.zip", ["report", "compare", "layout", "picture"]),
    ("export s1 -o c", ["topology", "grc", "report", "compare", "layout", "picture"]),
    ("reproduce r", ["topology", "code", "build", "trace", "compare", "table"]),
    ("layout p", ["layout"]), ("build p", ["topology", "code", "build"]), ("trace r -o t.json", ["build", "trace"])])
def test_what_a_command_needs_follows_from_its_words(machine: Machine, command: str, groups: list[str]):
    assert machine.run(*command.split()).returncode == 0
    assert set(os.listdir(machine.state / "installed")) == packages("base", *groups)


def test_a_comparison_that_measures_gets_what_a_run_needs(machine: Machine):
    machine.run("compare", "a", "b")
    machine.run("compare", "a", "b", "--json", "-o", "c.json")
    machine.run("compare", "--output", "c.json", "a", "b")
    assert set(os.listdir(machine.state / "installed")) == packages("base", "compare")
    measured = packages("base", "topology", "code", "build", "trace", "compare")
    for project in ("p.weir.json", "p.json", "-"):
        machine.run("compare", project, "a", "b")
        assert set(os.listdir(machine.state / "installed")) == measured
        for name in packages("build"):
            (machine.state / "installed" / name).unlink(missing_ok=True)


def test_an_installed_editor_needs_nothing_to_build_it(machine: Machine):
    (machine.tree / "installed").write_text("../bin\n")
    machine.run("edit", "p")
    installed = set(os.listdir(machine.state / "installed"))
    assert packages("window", "build", "trace") <= installed and not packages("editor") & installed
    assert not any("qt6" in name and name.endswith("-dev") for name in installed)


@pytest.mark.parametrize("arguments",
                         [(), ("--help",), ("run", "--help"), ("edit", "-h"), ("no_such_verb",), ("validate", "p")])
def test_help_and_light_verbs_need_the_base_alone(machine: Machine, arguments: tuple[str, ...]):
    assert machine.run(*arguments).returncode == 0
    assert set(os.listdir(machine.state / "installed")) == packages("base")


@pytest.mark.parametrize("chosen, lacks", [("libvolk-dev", "libvolk2-dev"), ("libvolk2-dev", "libvolk-dev")])
def test_of_alternatives_the_first_that_the_release_has_is_installed(machine: Machine, chosen: str, lacks: str):
    """Debian 13 calls it libvolk-dev, Debian 12 libvolk2-dev; apt may learn that only from `apt-get update`."""
    result = machine.run("run", "p", LACKS=lacks)
    assert result.returncode == 0, result.stderr
    installed = set(os.listdir(machine.state / "installed"))
    assert installed == packages("base", "topology", "code", "build", "trace") - {"libvolk-dev"} | {chosen}
    assert machine.run("run", "p", LACKS=lacks).stderr == ""


def test_messages_name_the_alternative_that_the_release_has(machine: Machine):
    (machine.state / "lists").touch()
    result = machine.run("run", "p", "--no-install", LACKS="libvolk-dev")
    assert "  libvolk2-dev " in result.stderr and "libvolk-dev" not in result.stderr
    assert "has hwloc instead" not in result.stderr


def test_what_apt_does_not_know_yet_is_named_with_its_alternative(machine: Machine):
    result = machine.run("run", "p", "--no-install", LACKS="libvolk-dev")
    assert "a release without libvolk-dev has libvolk2-dev instead" in result.stderr


def test_an_alternative_that_is_installed_is_as_good(ready: Machine):
    (ready.state / "installed/hwloc-nox").unlink()
    ready.install("hwloc")
    assert ready.run("run", "p", "--no-install").returncode == 0


def test_a_normal_user_without_sudo_is_told_what_to_do(machine: Machine):
    machine.user(1000)
    result = machine.run("run", "p")
    assert (result.returncode, machine.calls()) == (3, "")
    assert "sudo apt-get update && sudo apt-get install" in result.stderr


@pytest.mark.parametrize("sudo_result, exit_code", [("0", 0), ("1", 3)])
def test_a_normal_user_without_a_terminal_needs_sudo_without_password(machine: Machine, sudo_result: str,
                                                                      exit_code: int):
    machine.user(1000)
    machine.command("sudo", SUDO)
    assert machine.run("run", "p", SUDO_RESULT=sudo_result).returncode == exit_code
    assert ("sudo -n env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get" in machine.calls()) == (exit_code == 0)


def test_on_a_terminal_it_asks_and_no_means_no(machine: Machine):
    code, shown = machine.run_in_terminal("\n", "run", "p")
    assert (code, shown.count("[y/N]"), machine.calls()) == (3, 1, "")


def test_on_a_terminal_it_asks_once_and_yes_means_yes(machine: Machine):
    code, shown = machine.run_in_terminal("y\n", "run", "p")
    assert (code, shown.count("[y/N]")) == (0, 1)
    assert " install " in machine.calls()


def test_only_the_verb_that_asks_for_trust_is_told_that_yes_was_said(ready: Machine):
    def arguments(*words: str, **environment: str) -> list[str]:
        return json.loads(ready.run(*words, **environment).stdout)["arguments"]

    assert arguments("reproduce", "--yes", "c.zip") == ["reproduce", "c.zip", "--yes"]
    assert arguments("reproduce", "c.zip", WEIR_YES="yes") == ["reproduce", "c.zip"]
    assert arguments("run", "--yes", "p") == ["run", "p"]


def test_yes_on_a_terminal_asks_nothing(machine: Machine):
    code, shown = machine.run_in_terminal("", "run", "p", "--yes")
    assert (code, shown.count("[y/N]")) == (0, 0)


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
    assert result.returncode == 0 and result.stderr.count("another package manager is at work; waiting") == 1
    assert "reported errors" not in result.stderr
    words = [line.split()[0] for line in machine.calls().splitlines()]
    assert words == ["apt-get", "sleep"] * 3 + ["apt-get", "apt-get"]


def test_an_apt_that_never_ends_is_not_waited_for_for_ever(machine: Machine):
    result = machine.run("run", "p", APT_COMPLAINT="E: Could not get lock /var/lib/dpkg/lock-frontend")
    assert result.returncode == 3 and "did not end in five minutes" in result.stderr
    naps = [float(line.split()[1]) for line in machine.calls().splitlines() if line.startswith("sleep")]
    assert sum(naps) == 300


@pytest.mark.skipif(not shutil.which("apt-get"), reason="there is no apt-get here")
def test_the_lock_of_a_real_apt_is_waited_for(machine: Machine, tmp_path: Path):
    """Apt's own files, in a folder of ours: its update does not wait for the lock of the lists by itself."""
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
    assert "another package manager is at work" in said
    assert "reported errors" not in rest and "Unable to locate package" in rest


def test_apt_that_installs_nothing_is_found_out(machine: Machine):
    machine.command("apt-get", "exit 0\n")
    result = machine.run("run", "p")
    assert result.returncode == 3 and "still not installed" in result.stderr


def test_elsewhere_than_on_debian_it_names_the_packages_and_goes_on(machine: Machine):
    (machine.bin / "dpkg-query").unlink()
    result = machine.run("run", "p")
    assert json.loads(result.stdout)["arguments"] == ["run", "p"]
    assert "liblttng-ust-dev" in result.stderr
    assert machine.run("run", "p", WEIR_SKIP_SETUP="1").stderr == ""


def test_a_python_that_is_not_there_is_named(ready: Machine):
    result = ready.run("run", "p", WEIR_PYTHON="/no/python3")
    assert result.returncode == 3 and "/no/python3" in result.stderr


def test_a_build_of_the_editor_that_fails_shows_why(ready: Machine):
    ready.command("cmake", "echo 'CMake Error: no Qt'; exit 1\n")
    result = ready.run("edit", "p")
    assert (result.returncode, result.stdout) == (3, "")
    assert "CMake Error: no Qt" in result.stderr and "editor.log" in result.stderr


def test_the_editor_gets_the_launcher_and_the_arguments(ready: Machine):
    ready.command("cmake", 'exit 0\n')
    editor = ready.tree / "build/editor/weir-editor"
    editor.parent.mkdir(parents=True)
    editor.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    editor.chmod(0o755)
    result = ready.run("edit", "a b.weir.json", "--screenshot", "f.png")
    assert result.stdout.splitlines() == ["--weir", str(ready.tree / "weir"), "--examples",
                                          str(ready.tree / "examples"),
                                          "a b.weir.json", "--screenshot", "f.png"]


#: Makes an editor that prints its own name.
CMAKE = """\
[ "$1" = --build ] || exit 0
printf '#!/bin/sh\\necho "$0"\\n' >"$2/weir-editor"
chmod +x "$2/weir-editor"
"""


@pytest.mark.parametrize("in_the_way", ["build", "build/editor.log/x"])
def test_an_editor_of_a_tree_that_cannot_be_written_is_built_in_the_cache(ready: Machine, tmp_path: Path,
                                                                          in_the_way: str):
    (ready.tree / in_the_way).parent.mkdir(parents=True, exist_ok=True)
    (ready.tree / in_the_way).write_text("this was built\n")
    (ready.bin / "chmod").symlink_to(shutil.which("chmod"))
    ready.command("cmake", CMAKE)
    result = ready.run("edit", HOME=str(tmp_path))
    assert result.stdout.startswith(f"{tmp_path}/.cache/weir/editor/")
    assert (tmp_path / ".cache/weir").stat().st_mode & 0o77 == 0
    ready.command("cmake", "echo 'CMake Error: no Qt'; exit 1\n")
    failed = ready.run("edit", HOME=str(tmp_path))
    assert failed.returncode == 3 and "CMake Error: no Qt" in failed.stderr and "this was built" not in failed.stderr
    nowhere = ready.run("edit", HOME="/dev/null")
    assert nowhere.returncode == 3 and "no place for the editor can be had: Not a directory" in nowhere.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_launcher_that_is_ended_leaves_no_compiler(ready: Machine, number: int):
    ready.command("cmake", f'echo $$ >"$STATE/pid"\nexec {shutil.which("sleep")} 300\n')
    launcher = subprocess.Popen([ready.tree / "weir", "edit"], env=ready.environment, stderr=subprocess.DEVNULL,
                                start_new_session=True)
    pid = ready.state / "pid"
    assert comes_true(lambda: bool(alive(pid)))
    launcher.send_signal(number)
    assert launcher.wait() == -number and comes_true(lambda: not alive(pid), 10)


@pytest.fixture
def installed(ready: Machine) -> Machine:
    (ready.tree / "installed").write_text("../the bin\n")
    return ready


def test_an_installed_editor_is_started_as_it_is(installed: Machine):
    editor = installed.tree / "../the bin/weir-editor"
    editor.parent.mkdir()
    editor.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    editor.chmod(0o755)
    result = installed.run("edit", "p.weir.json")
    assert result.stdout.splitlines()[-1] == "p.weir.json" and not (installed.tree / "build").exists()


@pytest.mark.parametrize(("verb", "said"),
                         [("edit", "installed without its editor"), ("test", "works in the source tree"),
                                            ("bench", "works in the source tree")])
def test_what_an_installed_weir_cannot_do_is_said(installed: Machine, verb: str, said: str):
    result = installed.run(verb)
    assert (result.returncode, result.stdout) == (3, "") and said in result.stderr


def test_an_installed_tree_is_not_written_to(installed: Machine, tmp_path: Path):
    show = "import os, sys; print(sys.pycache_prefix)"
    installed.verb(show)
    assert installed.run("x", HOME=str(tmp_path)).stdout == f"{tmp_path}/.cache/weir/pycache\n"
    assert installed.run("x", HOME="/", XDG_CACHE_HOME="/c").stdout == "/c/weir/pycache\n"


@pytest.mark.parametrize("home", ["", "here", None])
def test_a_home_that_is_none_is_that_of_the_password_database(ready: Machine, home: str | None):
    ready.verb("import os; print(os.environ.get('HOME'))")
    given = {} if home is None else {"HOME": home}
    assert ready.run("x", **given).stdout == "None\n"
    ready.command("getent", "echo 'me:x:0:0::/home/me:/bin/sh'\n")
    assert ready.run("x", **given).stdout == "/home/me\n"


def test_modules_of_others_take_the_place_of_none_of_ours(tmp_path: Path):
    """GNU Radio's users export PYTHONPATH. Planners may need what it has."""
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


@pytest.mark.parametrize(("steps", "seconds", "left"), [("[5/100]", 60, ""), ("[30/100]", 60, "about 2 min left"),
                                                        ("[90/100]", 90, "about 10 s left")])
def test_a_build_tells_how_long_the_rest_takes(steps: str, seconds: int, left: str):
    script = f'. "{ROOT}/setup/editor.sh"; left_of "{steps}" {seconds}'
    assert subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout == left


@pytest.mark.parametrize(("objects", "done"), [(0, "[1/3]"), (1, "[1/2]"), (3, "[300/305]")])
def test_how_far_a_build_is_is_told_by_what_takes_the_time(tmp_path: Path, objects: int, done: str):
    rules = "".join(f"build {name}.o: CXX_COMPILER__ui_Release {name}.cpp\n" for name in "abc")
    (tmp_path / "build.ninja").write_text(rules + "build f.qml: CUSTOM_COMMAND g.qml\n")
    (tmp_path / "log").write_text("[299/305] Generating f.qml\n[300/305] Building CXX object a.o\n")
    script = f'. "{ROOT}/setup/editor.sh"; work_done "[300/305]" "{tmp_path}/log" "{tmp_path}" {objects}'
    assert subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout.strip() == done


def test_a_runtime_is_installed_with_a_word_of_the_users_alone(machine: Machine):
    """What a deployment turns out to need, offered by the verb that runs it."""
    def offered(**environment: str) -> subprocess.CompletedProcess[str]:
        return machine.run("FutureSDR", "rust", launcher=machine.tree / "setup/runtime.sh", **environment)

    assert (offered().returncode, offered().stderr, machine.calls()) == (3, "", "")
    refused = offered(WEIR_YES="yes", WEIR_MAY_INSTALL="")
    assert refused.returncode == 3 and machine.calls() == ""
    assert "FutureSDR needs packages" in refused.stderr and "--no-install was given" in refused.stderr
    machine.command("cargo", "exit 1")  # any is the user's own to mend
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
    scripts = [ROOT / "weir", ROOT / ".ci/run", *(ROOT / "setup").glob("*.sh")]
    result = subprocess.run(["shellcheck", "-x", *scripts], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
