"""Copy of the launcher's tree, with our apt-get, apt-cache, dpkg-query, sudo and id on PATH."""

from __future__ import annotations

import os
import pty
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REAL_TOOLS = ("sh", "readlink", "dirname", "mktemp", "tail", "sed", "grep", "rm", "env", "mkdir", "true")
SHOW_CALL = """\
import json, os, sys
print(json.dumps({"arguments": sys.argv[1:], "directory": os.getcwd(), "python": sys.executable,
                  "no_user_site": os.environ.get("PYTHONNOUSERSITE")}))
"""
# An installed package is a file in $STATE/installed; each call is a line in $STATE/calls. The release has every package
# except those in $LACKS. apt knows them once it has its lists, $STATE/lists.
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
#: Nothing waits in these tests; another package manager ends during the third sleep.
SLEEP = """\
echo "sleep $*" >>"$STATE/calls"
[ "$(grep -c sleep "$STATE/calls")" -ne 3 ] || rm -f "$STATE/other-apt"
"""
# apt knows a replaced package only by name, and has no candidate to install.
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


OF_A_RUN = ("base", "topology", "code", "build", "trace")


class Machine:
    """Copy of the launcher in a folder with a space in its name, on a machine without installed packages."""

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
        """Make the launcher start this code instead of Weir."""
        (self.tree / "codegen/weir/__main__.py").unlink(missing_ok=True)
        (self.tree / "codegen/weir/__main__.py").write_text(code)

    def user(self, uid: int) -> None:
        self.command("id", f"echo {uid}\n")

    def install(self, *names: str) -> None:
        for name in names:
            (self.state / "installed" / name).touch()

    def installed(self) -> set[str]:
        return set(os.listdir(self.state / "installed"))

    def calls(self) -> str:
        path = self.state / "calls"
        return path.read_text() if path.exists() else ""

    def run(self, *arguments: str, launcher: Path | None = None, cwd: Path | None = None,
            **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([launcher or self.tree / "weir", *arguments], cwd=cwd, env=self.environment | environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)

    def run_in_terminal(self, answer: str, *arguments: str) -> tuple[int, str]:
        """Return the exit code and the terminal's output after `answer` was typed."""
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


@pytest.fixture(name="machine")
def bare_machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture(name="ready")
def ready_machine(machine: Machine) -> Machine:
    machine.install(*(row[1].split("|")[0] for row in rows("packages.txt")))
    return machine
