"""Commands of the pages, those that no test can run with the reasons, and those that take long.

A command is a line of an indented block, also within a list, that begins with a program, or `./weir …` within a line of
text. The rules name no single command and apply to every page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md",
                                   "bench/archive.md")] \
    + sorted(it for folder in ("docs", "examples") for it in (ROOT / folder).rglob("*.md"))

_PROGRAM = re.compile(r"""(?:[A-Z_]+=\S+[ ])*                    # variables of its environment
    (?:(?:\./|/opt/weir/bin/)?weir|cmake|ctest|/usr/bin/python3|sudo|setarch|g\+\+|gcc|for|mkdir|cp
       |(?:bench|ci|docs|examples|setup)/\S+\.(?:py|sh))[ ]""", re.VERBOSE)

#: Reasons why no test runs a command; the first that fits counts.
EXCEPTIONS = (
    ("a form with choices", r"(?<!/)…|\[[\w-]"),
    ("need root", r"sudo |weir isolate .*-- "),
    ("need the user's repository", r"ci/compare-commits"),
    ("need another machine", r"weir board|--on "),
    ("need a display", r"weir edit(?!.* --screenshot)|weir docs"),
    ("need the network", r"weir doctor --install"),
    ("are the tests or a part of them", r"weir test(?!.*-path)|pytest|ctest|--preset|codegen/lint.py"),
    ("take longer than 10 minutes", r"cmake |^/opt/|weir bench$|bench/statistics/"),
)
#: Commands that build or measure for minutes, or that build peer runtimes: only with --all.
_SLOW = re.compile(r"weir (?:test|bench|tune|edit)\b|weir reproduce .*(?:\.zip|--out both)"
                   r"|weir doctor .*--measure|weir compare (?:both/|\w+\.weir\.json)"
                   r"|weir rate .*(?:examples|lttng|--trust)"
                   r"|weir run .*(?:gnuradio|futuresdr|qsdr)|recording\.py check .*gnuradio|g\+\+ |gcc |record\.sh")


@dataclass(frozen=True)
class Command:
    """One command as a page shows it."""

    page: Path
    text: str

    @property
    def exception(self) -> str | None:
        """Return the kind of reason why no test can run it."""
        return next((kind for kind, pattern in EXCEPTIONS if re.search(pattern, self.text)), None)

    @property
    def slow(self) -> bool:
        """Return whether it runs only with --all."""
        return bool(_SLOW.search(self.text))


def commands(page: Path) -> list[Command]:
    """Return the commands of a page in order, each once."""
    return [Command(page, text) for text in dict.fromkeys(_texts(page.read_text(encoding="utf-8")))]


def _texts(page: str) -> Iterator[str]:
    page = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)  # files, and output of programs
    for found in re.finditer(r"^(?: {4}| {8})(\S(?:.*\\\n)*.*)$|(?<!`)`(\./weir [^`]+)`", page, re.MULTILINE):
        block, within = found.groups()
        if within:
            yield " ".join(within.split())
        elif _PROGRAM.match(block + " "):
            # Text further right explains the command.
            yield re.split(r" +# |\s{3,}", re.sub(r"\s*\\\n\s*", " ", block))[0]
