"""Test the site of docs/: its list has every page, every link works, and nothing is loaded from elsewhere."""

from __future__ import annotations

import importlib.util
import json
import posixpath
import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from conftest import answered
from documents import ROOT
from weir import cli
from weir.cli.verbs import docs as verb

DOCS = ROOT / "docs"
LISTED = re.findall(r"^- \[.+?\]\((.+?)\): .+\.$", (DOCS / "index.md").read_text(encoding="utf-8"), re.MULTILINE)

needs_mkdocs = pytest.mark.skipif(not importlib.util.find_spec("mkdocs"), reason="mkdocs-material is not installed")


def test_the_first_page_lists_every_page_once_with_a_line_about_it() -> None:
    pages = {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")} - {"index.md"}
    assert Counter(LISTED) == Counter(pages)


class Page(HTMLParser):
    """Names in a page of the site: links, files that a browser loads by itself, and anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Record the names in a tag."""
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value or "")
            elif name in ("href", "src"):
                (self.links if tag == "a" else self.loaded).add(value or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site as the verb builds it, which fails at any warning of mkdocs."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    assert cli.main(["docs", "-o", str(folder), "--json"]) == 0
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """Return the pages of the site by name."""
    return {str(path.relative_to(site)): Page(path.read_text(encoding="utf-8"))
            for path in site.rglob("*.html") if path.name != "404.html"}


@needs_mkdocs
def test_every_link_leads_to_a_place_of_the_site(site: Path, pages: dict[str, Page]) -> None:
    assert {name.replace("README", "index").replace(".md", ".html") for name in LISTED} < pages.keys()
    wrong = []
    for name, page in pages.items():
        for link in page.links | page.loaded:
            path, _, anchor = link.partition("#")
            if re.match(r"https?:|mailto:|data:", link):
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(path))) if path else name
            anchors = pages[target].anchors if target in pages else {anchor}
            if not (site / target).exists() or anchor and unquote(anchor) not in anchors:
                wrong.append(f"{name}: {link}")
    assert wrong == []


@needs_mkdocs
def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[str, Page]) -> None:
    assert {link for page in pages.values() for link in page.loaded if re.match(r"(https?:)?//", link)} == set()
    for sheet in site.rglob("*.css"):
        assert re.findall(r"""(?:url\(|@import )['"]?(?:https?:)?//[^)]*""", sheet.read_text(encoding="utf-8")) == []


@needs_mkdocs
def test_pages_are_found_by_their_words_also_where_they_are_files(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    [tuning] = [it for it in index["docs"] if it["location"] == "tuning.html"]
    assert "weir tune" in unescape(tuning["text"])
    assert (site / "search" / "search_index.js").read_text(encoding="utf-8").startswith("var __search = ")
    first = (site / "index.html").read_text(encoding="utf-8")
    assert first.index("search/search_index.js") < first.index("bundle.")
    assert first.index("site/worker.js") < first.index("bundle.")


@needs_mkdocs
def test_lists_of_the_pages_are_lists(site: Path) -> None:
    """Check for lists right after a line of text, which Python-Markdown, unlike other programs, does not begin."""
    for path in site.rglob("*.html"):
        text = re.sub(r"<(pre|code|script)\b.*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert re.findall(r"<p>[^<]*\n *(?:[-*]|1\.) [^<]*", text) == [], path


@needs_mkdocs
def test_the_diagrams_of_the_architecture_are_pictures(site: Path) -> None:
    page = (site / "architecture.html").read_text()
    diagrams = re.findall(r'<div class="flowchart"><svg.*?</svg>', page)
    assert len(diagrams) == 2 and "mermaid" not in page
    for name in ("conformance", "model"):  # a folder, and the box of a package
        assert f">{name}</text>" in diagrams[0]


@needs_mkdocs
def test_the_verb_leaves_what_is_not_its_own(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[list[str]] = []
    monkeypatch.setattr(verb, "_built", lambda: {"index.html": b"<p>"})
    monkeypatch.setattr(verb.shutil, "which", lambda _: "/bin/xdg-open")
    monkeypatch.setattr(verb.subprocess, "Popen", lambda words, **_: opened.append(words))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    page = tmp_path / "cache/weir/docs/index.html"
    assert cli.main(["docs"]) == 0 and page.is_file() and not opened
    assert capsys.readouterr().out == f"{page}\n"
    monkeypatch.setenv("DISPLAY", ":7")
    assert cli.main(["docs"]) == 0 and opened == [["/bin/xdg-open", str(page)]]
    capsys.readouterr()
    assert cli.main(["docs", "--json"]) == 0 and len(opened) == 1
    assert answered(capsys, "docs") == {"directory": str(page.parent), "page": str(page)}
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("mine")
    assert cli.main(["docs", "-o", str(tmp_path / "mine"), "--json"]) == 3
    assert [it.name for it in (tmp_path / "mine").iterdir()] == ["thesis.tex"]


def test_without_mkdocs_the_package_is_named(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb.importlib.util, "find_spec", lambda _: None)
    assert cli.main(["docs"]) == 3
    assert "apt-get install mkdocs-material" in capsys.readouterr().err
