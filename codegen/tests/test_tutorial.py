"""Check the tutorial: its project, and the names of the editor's texts. Other tests run its commands."""

from __future__ import annotations

import functools
import json
import re

import pytest
from documents import ROOT
from weir.model.check import check

PAGES = [ROOT / "docs/tutorial.md", *sorted((ROOT / "docs/how-to").glob("*.md"))]
TUTORIAL = PAGES[0].read_text(encoding="utf-8")


@functools.cache
def names() -> set[str]:
    """Return the editor's texts: its own, and titles of fields, blocks and schedulers."""
    texts = [path.read_text(encoding="utf-8") for kind in ("qml", "cpp", "h")
             for path in (ROOT / "editor").rglob(f"*.{kind}") if "tests" not in path.parts]
    shown = set(re.findall(r'\b(?:qsTr|tr|translate)\((?:"\w+",)?\s*"((?:[^"\\]|\\.)*)"', "\n".join(texts)))
    for path in (ROOT / "codegen/weir/schema/project.schema.json", *(ROOT / "block-library").rglob("block.json"),
                 *(ROOT / "runtime/schedulers").rglob("scheduler.json")):
        shown |= set(re.findall(r'"title": "([^"]+)"', path.read_text(encoding="utf-8")))
    return shown | {"f32"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_names_of_the_editor_is_there(page) -> None:
    """Check bold words, which name what the user presses, except headings that say where."""
    text = page.read_text(encoding="utf-8")
    bold = set(re.findall(r"(?<!\w)\*\*(.+?)\*\*", text)) - {"In the editor", "On the command line"}
    assert {name for name in bold if name not in names() and re.sub(r"\d+", "%1", name) not in names()} == set()
    assert len(bold) > 8 or page.stem != "tutorial"


def test_the_keys_of_the_pages_are_those_of_the_editor() -> None:
    keys = (ROOT / "docs/editor.md").read_text(encoding="utf-8")
    found = {key for page in PAGES for key in re.findall(r"`((?:Ctrl\+|Shift\+|Alt\+)*(?:[A-Z]|F\d+|Tab|Enter))`",
                                                         page.read_text(encoding="utf-8"))} - {"P"}
    assert {"F6", "Shift+F6", "Ctrl+S", "Tab"} <= found and all(f"`{key}`" in keys for key in found)


def test_its_project_is_valid_and_what_the_editor_draws() -> None:
    [text] = re.findall(r"```json\n(.*?)```", TUTORIAL, re.DOTALL)
    found = check(text)
    assert found.graph is not None and not found.diagnostics
    drawn = (ROOT / "editor/tests/tst_story.cpp").read_text(encoding="utf-8")
    blocks = [it["type"] for it in json.loads(text)["graph"]["blocks"]]
    assert re.findall(r'QStringLiteral\("(\w+)"\)', re.search(r"types\{.*?\}", drawn, re.DOTALL)[0]) == blocks


def test_its_fields_have_the_names_of_the_editor() -> None:
    fields = set(re.findall(r"\*([A-Z][a-z ]+)\*", re.sub(r"\*\*.+?\*\*", "", TUTORIAL)))
    assert {"Item type", "Constant", "Items"} <= fields
    assert fields - names() <= {"Throughput", "Latency", "Verified"} | names()
