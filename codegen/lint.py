"""Runs one linter over the tree, in the version that Weir pins, and exits with the linter's code.

/usr/bin/python3 codegen/lint.py ruff|mypy|clang-format|clang-tidy|codespell|prose|tables
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "codegen"))

from prose import FOLDERS  # noqa: E402
from weir.diagnostics import WeirError  # noqa: E402
from weir.engine.generation.pinned import Pinned  # noqa: E402

CPP_SUFFIXES = (".cpp", ".hpp", ".h", ".c")


def ruff() -> list[str]:
    """Return the command of Ruff, which reads ruff.toml."""
    return [str(_pinned() / "bin" / "ruff"), "check"]


def mypy() -> list[str]:
    """Return the command of mypy, which reads mypy.ini, and put its packages on the Python path."""
    os.environ["PYTHONPATH"] = str(_pinned())
    return [sys.executable, "-P", "-m", "mypy"]


def clang_format() -> list[str]:
    """Return the command of clang-format for all C++ files. It skips the files in .clang-format-ignore."""
    return ["clang-format-19", "--dry-run", "-Werror", *(str(path) for path in cpp_files())]


def clang_tidy() -> list[str]:
    """Return the command of clang-tidy for the runtime, which reads .clang-tidy."""
    return ["cmake", f"-DWORK={ROOT / 'build' / 'clang-tidy'}", "-P", str(ROOT / "cmake" / "clang_tidy.cmake")]


def codespell() -> list[str]:
    """Return the command of codespell, which reads .codespellrc."""
    return ["codespell", "--config", str(ROOT / ".codespellrc"), *FOLDERS, *map(str, Path().glob("*.md"))]


def prose() -> list[str]:
    """Return the command of our check of words, prose.py."""
    return [sys.executable, "-P", str(ROOT / "codegen" / "prose.py")]


def tables() -> list[str]:
    """Return the command of our check that the tables of docs/experiments are those of the committed sweeps."""
    return [sys.executable, "-P", str(ROOT / "docs" / "make_experiments.py"), "--check"]


#: Linters by their names in the suite `lint` and in the hooks of .pre-commit-config.yaml.
LINTERS: dict[str, Callable[[], list[str]]] = {
    "ruff": ruff, "mypy": mypy, "clang-format": clang_format, "clang-tidy": clang_tidy,
    "codespell": codespell, "prose": prose, "tables": tables}


def cpp_files() -> list[Path]:
    """Return the C++ files, relative to the root of the tree; the same with and without git."""
    return sorted(path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*")
                  if path.suffix in CPP_SUFFIXES and path.is_file() and "build" not in path.parts[len(ROOT.parts):])


def main(arguments: list[str]) -> int:
    """Replace this process with the linter. Returns 2 for a wrong name, 3 if the linter cannot be installed or started.
    """
    if len(arguments) != 1 or arguments[0] not in LINTERS:
        print(f"usage: lint.py {'|'.join(LINTERS)}", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    try:
        command = LINTERS[arguments[0]]()
        os.execvp(command[0], command)
    except WeirError as error:
        print(*(fault.message for fault in error.diagnostics), sep="\n", file=sys.stderr)
    except OSError as error:
        print(f"{arguments[0]} cannot be started: {error}", file=sys.stderr)
    return 3


def _pinned() -> Path:
    packages = Pinned("lint")
    return packages.kept() or packages.get()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
