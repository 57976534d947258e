"""Checks our words: how docstrings begin, words that the glossary retired, and the subjects of commits.

Prints `path:line: fault` for each fault and exits with 1 if there is one. CONTRIBUTING.md ("Write plainly") has the
rules that a program cannot check.

/usr/bin/python3 codegen/lint.py prose
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Folders with text that we write. `build` and the output of our programs are not among them.
FOLDERS = ("bench", "block-library", "cmake", "codegen", "docs", "editor", "examples", "runtime", "setup", "templates")
SUFFIXES = (".md", ".py", ".hpp", ".cpp", ".h", ".qml", ".j2", ".cmake", ".sh", ".txt", ".json")

#: Words at the start of a docstring without a subject or a verb.
_BEGINS_BADLY = re.compile(
    r"\s*(What|Of|Those|That|Who|Whom|Whose|How|For who|As|None|Where|When|Whether|Why|In|Which)\b")
#: Words that the glossary of CONTRIBUTING.md replaced.
_RETIRED = re.compile(r"\b(witness(es)?|manieth|surroundings|repetition blocks?|at its place)\b", re.IGNORECASE)
#: Places that contain these words on purpose: the rule, the glossary, keys of older files, and files of older versions.
_MAY_NAME = ("CONTRIBUTING.md", "codegen/prose.py", "codegen/tests/test_prose.py",
             "codegen/tests/test_results_model.py", "runtime/tests/test_ending.py",
             "codegen/weir/schema/results.model.json", "runtime/src/options.cpp",
             "codegen/tests/fixtures/", "codegen/tests/golden/", "bench/results/")
#: The last commit before subjects were checked.
_CHECKED_SINCE = "d81dd3af14edf2d428afc4806a7e54dd5f3d6f9c"
_MOST_COLUMNS = 72


def main() -> int:
    """Print the faults and return the exit code."""
    faults = [*_of_files(), *_of_commits()]
    print(*faults, sep="\n" if faults else "")
    return int(bool(faults))


def files() -> Iterator[Path]:
    """Yield the files that people read, relative to the root of the tree; the same with and without git."""
    yield from sorted(ROOT.glob("*.md"))
    for folder in FOLDERS:
        yield from sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES and path.is_file()
                          and not {"build", ".git", "__pycache__"} & set(path.parts[len(ROOT.parts):]))


def _of_files() -> Iterator[str]:
    for path in files():
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8", errors="replace")
        if path.suffix == ".py":
            yield from (f"{name}:{line}: a docstring begins with `{word}`" for line, word in docstrings(text))
        if path.suffix in (".hpp", ".cpp", ".h"):
            yield from (f"{name}:{line}: a comment begins with `{word}`" for line, word in doc_comments(text))
        if not name.startswith(_MAY_NAME):
            yield from (f"{name}:{number}: `{found.group()}` is retired: see the glossary in CONTRIBUTING.md"
                        for number, line in enumerate(text.splitlines(), 1) for found in _RETIRED.finditer(line))


def docstrings(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and first word of each docstring of a Python source that begins badly."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if found := _BEGINS_BADLY.match(ast.get_docstring(node) or ""):
                yield node.body[0].lineno, found.group(1)


def doc_comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and first word of each `///` comment before a declaration that begins badly."""
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        here = line.strip()
        if here.startswith("/// ") and not before.startswith("///"):
            if found := _BEGINS_BADLY.match(here.removeprefix("///")):
                yield number, found.group(1)
        before = here


def long_subjects(subjects: str) -> Iterator[str]:
    """Yield the subjects of more than 72 columns. `subjects` has one on each line. Merges are left out: Git writes
    their subjects.
    """
    yield from (line for line in subjects.splitlines() if len(line) > _MOST_COLUMNS and not line.startswith("Merge "))


def _of_commits() -> Iterator[str]:
    done = subprocess.run(["git", "-C", str(ROOT), "log", "--format=%s", f"{_CHECKED_SINCE}..HEAD"],
                          capture_output=True, text=True, check=False)
    # Without git, or in a clone that lacks that commit, the check finds no subjects.
    yield from (f"commit subject of more than {_MOST_COLUMNS} columns: {line}" for line in long_subjects(done.stdout))


if __name__ == "__main__":
    sys.exit(main())
