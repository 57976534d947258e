"""Test an installed Weir: `cmake --install` of the tree, run from there."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from weir.cli import EXIT_CODES_HELP, verb_modules
from weir.tracers import BACKENDS

ROOT = Path(__file__).resolve().parents[3]
EDITOR = Path(os.environ.get("WEIR_EDITOR_BINARY", ROOT / "build/editor-test/weir-editor"))


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("an install")
    for words in (["-S", ROOT, "-B", folder / "build", "-G", "Ninja", "-DWEIR_BUILD_TESTING=OFF"],
                  ["--install", folder / "build", "--prefix", folder / "prefix"]):
        subprocess.run(["cmake", *words], check=True, capture_output=True, timeout=120)
    return folder / "prefix"


def weir(prefix: Path, *words: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command, without the tests' PYTHONPATH, so that nothing is imported from the sources."""
    of_tests = ("PYTHONPATH", "PYTHONPYCACHEPREFIX")
    return subprocess.run([prefix / "bin/weir", *words], cwd=cwd, text=True, capture_output=True, timeout=300,
                          check=False,
                          env={name: value for name, value in os.environ.items() if name not in of_tests}
                          | {"WEIR_SKIP_SETUP": "1", **environment})


def test_it_runs_a_project_as_the_page_says_and_writes_nothing_into_its_prefix(prefix: Path, tmp_path: Path):
    before = sorted(prefix.rglob("*"))
    [command] = re.findall(r"^    /opt/weir(/bin/weir .*)$", (ROOT / "docs/install.md").read_text(), re.MULTILINE)
    words = shlex.split(command.replace("/opt/weir", shlex.quote(str(prefix))))
    ran = weir(prefix, *words[1:], "--json", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    [result] = json.loads(ran.stdout)
    assert result["status"] == "ok" and result["verification"]["ok"]
    assert sorted(prefix.rglob("*")) == before


def test_every_module_and_descriptor_is_installed(prefix: Path):
    folders = ("codegen/weir", "codegen/native", "runtime/include", "runtime/src", "runtime/schedulers",
               "block-library",
               "templates", "setup")
    wanted = {path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*")
              if path.is_file() and path.suffix != ".pyc" and ROOT / "block-library/tests" not in path.parents}
    wanted |= {Path("mkdocs.yml"), Path("docs/site/hooks.py"), Path("docs/site/theme/main.html")}
    assert len(wanted) > 300 and {path for path in wanted if not (prefix / "share/weir" / path).is_file()} == set()


COMPLETED = [("weir re", {"report", "reproduce"}), ("weir runs t", {"trace"}), ("weir run --tra", {"--trace"}),
             ("weir run --trace ", set(BACKENDS))]


@pytest.mark.parametrize("line, words", COMPLETED, ids=[line for line, _ in COMPLETED])
def test_bash_completes_its_words(prefix: Path, line: str, words: set[str]):
    script = 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=9; _weir "$0"; printf "%s\\v" "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script, prefix / "bin/weir",
                           prefix / "share/bash-completion/completions/weir", line],
                          capture_output=True, text=True, timeout=60, check=True)
    assert {word.strip() for word in done.stdout.split("\v")} - {""} == words


def test_zsh_completes_its_words(prefix: Path):
    script = 'compadd() { shift; print -l -- $@ }; words=($0) BUFFER=$2 CURSOR=${#2}; source $1'
    done = subprocess.run(["zsh", "-fc", script, prefix / "bin/weir", prefix / "share/zsh/site-functions/_weir",
                           COMPLETED[0][0]], capture_output=True, text=True, timeout=60, check=True)
    assert set(done.stdout.split()) == COMPLETED[0][1], done.stderr


def test_it_has_a_manual_page_with_every_verb_and_exit_code(prefix: Path):
    page = (prefix / "share/man/man1/weir.1").read_text()
    assert page.startswith(".TH") and "UNSET" not in page
    assert all(re.search(rf"\bweir {verb}\b", page) for verb in verb_modules())
    assert EXIT_CODES_HELP.partition("\n")[2].rstrip() in page


@pytest.mark.skipif(not EDITOR.exists(), reason=f"{EDITOR} is built by `weir test --only editor`")
def test_its_editor_draws_what_the_installed_command_says(prefix: Path, tmp_path: Path):
    """Put the tests' editor where an install with -DWEIR_BUILD_EDITOR=ON puts it."""
    subprocess.run(["cmake", "--install", EDITOR.parent, "--prefix", prefix], check=True, capture_output=True,
                   timeout=60)
    picture, homes = tmp_path / "picture.png", {f"XDG_{name}_HOME": str(tmp_path)
                                                for name in ("CONFIG", "STATE", "CACHE")}
    drawn = weir(prefix, "edit", prefix / "share/weir/examples/quickstart.weir.json", "--screenshot", picture, "--size",
                 "800x600", cwd=tmp_path, QT_QPA_PLATFORM="offscreen", **homes)
    assert drawn.returncode == 0, drawn.stderr  # the editor fails if the command does not answer
    assert picture.read_bytes()[16:24] == (800).to_bytes(4) + (600).to_bytes(4)
