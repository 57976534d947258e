"""Draws random texts and screens for a fresh reader; the same seed draws the same ones.

    /usr/bin/python3 docs/draw_texts.py SEED

Prints twelve sections of pages, four verbs to read with --help, and four views of the editor. The reader marks each
sentence that takes a second reading, and we rewrite it.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "codegen"))

from weir.cli import verb_modules  # noqa: E402


def sections() -> Iterator[str]:
    """Yield each section of each page, generated pages too."""
    for page in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")]):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        yield from (f"{page.relative_to(ROOT)}: {heading}" for heading in re.findall(r"^#+ .+$", text, re.MULTILINE))


def screens() -> Iterator[str]:
    """Yield a command for each view of the editor with each example."""
    views = [found[1] for path in sorted((ROOT / "editor" / "features").glob("*/view.h"))
             if (found := re.search(r'QStringLiteral\("(\w+)"\)', path.read_text(encoding="utf-8")))]
    for example in sorted((ROOT / "examples").glob("*.weir.json")):
        yield from (f"./weir edit {example.relative_to(ROOT)} --view {view} --screenshot screen.png" for view in views)


def main(arguments: list[str]) -> int:
    """Print the drawn texts, and return the exit code: 2 without a seed."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    dice = random.Random(arguments[0])
    helps = [f"./weir {verb} --help" for verb in verb_modules()]
    for texts, count in ((list(sections()), 12), (helps, 4), (list(screens()), 4)):
        print(*dice.sample(texts, count), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
