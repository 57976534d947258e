"""Hooks of mkdocs: navigation from the list in docs/index.md, and links and lists like those of GitHub."""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
INDEX = ROOT / "docs" / "index.md"
#: Files of docs/ that build the site but are not part of it.
TOOLS = (".py", ".pyc", "site/theme/main.html")

_LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)")
_FLOWCHART = re.compile(r"^```mermaid\nflowchart LR\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_ITEM = re.compile(r"( *)([-*]|\d+\.) ")


class Placed(File):
    """File with the same path as in the tree, so relative links keep their targets."""

    def _get_dest_path(self, *_: object, **__: object) -> str:
        """Return the path in the site: pages of docs/ at its top, those of other folders below their names."""
        path = self.src_uri.removeprefix("docs/")
        if not path.endswith(".md"):
            return path
        if path == self.src_uri and "/" not in path:  # README.md of the root is not the first page
            return path.lower().removesuffix(".md") + ".html"
        return posixpath.join(posixpath.dirname(path), self.name + ".html")


def on_config(config: Any) -> Any:
    """Make the navigation from the list, and anchors like those of GitHub."""
    config["nav"] = navigation(INDEX.read_text(encoding="utf-8"))
    config["mdx_configs"].setdefault("toc", {})["slugify"] = anchor
    return config


def on_files(files: Files, config: Any) -> Files:
    """Place the pages of docs/, and the files that they link to in the rest of the tree."""
    pages = ROOT / "docs"
    ours = [it for it in files if pages in Path(str(it.abs_src_path)).parents]
    wanted = {f"docs/{it.src_uri}" for it in ours if not it.src_uri.endswith(TOOLS)}
    found: dict[str, File] = {}
    while wanted:
        path = wanted.pop()
        found[path] = Placed(path, str(ROOT), config["site_dir"], config["use_directory_urls"])
        if path.endswith(".md"):
            wanted |= set(linked(path, (ROOT / path).read_text(encoding="utf-8"))) - found.keys()
    of_theme = [it for it in files if it not in ours]
    return Files([*of_theme, *(found[path] for path in sorted(found))])


def on_page_markdown(markdown: str, page: Any, **_: object) -> str:
    """Write lists as Python-Markdown needs them: after an empty line, with the contents of an item indented by four
    columns.
    """
    lines: list[str] = []
    fence, marker = False, 0
    for line in drawn(without_links(page.file.src_uri, markdown)).split("\n"):
        fence ^= line.startswith("```")
        item = _ITEM.match(line)
        if not fence and line and not line[0].isspace():
            if item and not marker and lines and lines[-1]:
                if item[2] in "-*1.":
                    lines.append("")
                else:  # not a list item: a number at the beginning of a line of text
                    item = None
            marker = len(item[0]) if item else 0
        indent = len(line) - len(line.lstrip(" "))
        if marker and indent:
            line = " " * in_list(indent, marker, bool(item)) + line.lstrip(" ")
        lines.append(line)
    return "\n".join(lines)


def drawn(markdown: str) -> str:
    """Draw each Mermaid flowchart with Graphviz, because Mermaid's script would come from the network."""
    if not shutil.which("dot"):
        return markdown

    def picture(found: re.Match[str]) -> str:
        done = subprocess.run(["dot", "-Tsvg"], input=dot_text(found[1]), capture_output=True, text=True, check=True)
        return f'<div class="flowchart">{"".join(done.stdout.partition("<svg")[1:]).replace(chr(10), " ")}</div>'

    return _FLOWCHART.sub(picture, markdown)


def dot_text(flowchart: str) -> str:
    """Return the lines of a Mermaid flowchart (boxes, names and arrows) in the language of Graphviz."""
    lines = ["digraph { rankdir=LR compound=true bgcolor=transparent node [shape=box fontname=sans fontsize=11]"
             " graph [fontname=sans fontsize=11]"]
    inside: dict[str, str] = {}
    box = ""
    for line in map(str.strip, flowchart.splitlines()):
        source, arrow, targets = line.partition(" --> ")
        if line.startswith("subgraph "):
            box = line.removeprefix("subgraph ")
            lines.append(f'subgraph "cluster_{box}" {{ label="{box}"')
        elif line == "end":
            lines.append("}")
            box = ""
        elif arrow:
            for target in targets.split(" & "):
                ends = {"ltail": source, "lhead": target}
                clusters = " ".join(f'{end}="cluster_{name}"' for end, name in ends.items() if name in inside)
                lines.append(f'"{inside.get(source, source)}" -> "{inside.get(target, target)}" [{clusters}]')
        else:
            lines.append(f'"{line}"')
        if box and line != f"subgraph {box}":
            inside.setdefault(box, source)
    return "\n".join([*lines, "}"])


def in_list(indent: int, marker: int, is_item: bool) -> int:
    """Return the columns before a line of a list whose text begins at column `marker`."""
    if not is_item and indent >= marker + 4:
        return max(8, indent)  # code
    if not is_item and indent <= 4:
        return 4
    return 4 * max(1, round(indent / marker))


def on_page_content(html: str, page: Any, **_: object) -> str:
    """Show pictures of the editor in the theme of the page, if both themes exist."""
    def both(found: re.Match[str]) -> str:
        name = found[1].replace("_light.png", "_dark.png")
        if not (INDEX.parent / posixpath.dirname(page.url) / name).is_file():
            return found[0]
        return found[0].replace(found[1], f"{found[1]}#only-light") + found[0].replace(found[1], f"{name}#only-dark")

    return re.sub(r'<img [^>]*src="([^"]+_light\.png)"[^>]*>', both, html)


def on_post_build(config: Any) -> None:
    """Write the search index also as a script, because browsers do not let a local page fetch another file."""
    site = Path(config["site_dir"])
    search = site / "search" / "search_index.json"
    index = json.loads(search.read_text(encoding="utf-8"))
    script = f"var __search = {{index: Promise.resolve({json.dumps(index)})}};\n"
    search.with_suffix(".js").write_text(script, encoding="utf-8")
    for useless in ("sitemap.xml", "sitemap.xml.gz"):  # the site has no public address
        (site / useless).unlink(missing_ok=True)


def navigation(index: str) -> list[dict[str, Any]]:
    """Return the groups of the list with their pages, in the form of `nav` in mkdocs.yml."""
    groups: list[dict[str, Any]] = [{"Start": "docs/index.md"}]
    group: list[Any] = []
    pages: list[Any] = []
    for line in index.splitlines():
        heading, item = re.match(r"(##+) (.+)", line), re.match(r"- \[(.+?)\]\((.+?)\)", line)
        if heading:
            pages = []
            (groups if heading[1] == "##" else group).append({heading[2]: pages})
            group = pages if heading[1] == "##" else group
        elif item:
            pages.append({item[1]: posixpath.normpath(f"docs/{item[2]}")})
    return groups


def linked(path: str, text: str) -> Iterable[str]:
    """Yield the files that a page links to, as paths in the tree."""
    for link in _LINK.findall(text):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link))
        if (ROOT / target).is_file():
            yield target


def without_links(path: str, text: str) -> str:
    """Return the text without links to folders that an installed Weir lacks, such as bench. Their words stay."""
    def link(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[2]))
        return found[1] if not target.startswith("docs/") and not (ROOT / target).exists() else found[0]

    return re.sub(r"\[([^]\n]+)\]\(([^)#:\s]+)(?:#[^)\s]*)?\)", link, text)


def anchor(title: str, separator: str) -> str:
    """Return the anchor of a heading as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", separator)
