"""Test icons of the library and of the editor, and what is refused in foreign ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import CODEGEN, write_descriptor
from test_catalog import BLOCK, codes
from weir import cli
from weir.model.catalog import load_catalog
from weir.model.icons import MAX_BYTES, IconError, icon_of, placed, read_icon
from weir.read.reporting.scene import category_icon, category_of

ROOT = CODEGEN.parent
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
DOT = f'{HEAD}<circle cx="12" cy="12" r="4" fill="currentColor"/></svg>'
FILES = sorted([*(ROOT / "editor" / "shell" / "icons").glob("*.svg"),
                *(ROOT / "block-library").glob("categories/*.svg"), *(ROOT / "block-library").glob("*/*/icon.svg")])


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_an_icon_of_ours_is_one(file: Path) -> None:
    assert 'stroke-width="1.75"' in read_icon(file)


def test_every_block_of_the_library_has_an_icon_and_no_two_have_the_same() -> None:
    icons = {name: block.icon for name, block in load_catalog().blocks.items()}
    assert [name for name, icon in icons.items() if icon is None] == []
    assert len(set(icons.values())) == len(icons)


def test_every_category_has_an_icon() -> None:
    assert all(category_icon(category_of(block)) for block in load_catalog().blocks.values())


@pytest.mark.parametrize(("text", "said"), [
    (f"{HEAD}<script>alert(1)</script></svg>", "<script>"),
    (f'{HEAD}<image href="file:///etc/passwd"/></svg>', "<image>"),
    (f'{HEAD}<path d="M0 0" onclick="x"/></svg>', "`onclick`"),
    (f'{HEAD}<path d="M0 0" style="fill:red"/></svg>', "`style`"),
    (f'{HEAD}<path d="M0 0" fill="#FF0000"/></svg>', "must be none or currentColor"),
    (f'{HEAD}<path d="M0 0" fill="url(#a)"/></svg>', "must be none or currentColor"),
    (f'{HEAD}<path d="M0 0" transform="url(http://a)"/></svg>', "not plain"),
    (f"{HEAD}<text>z</text></svg>", "<text>"), (f"{HEAD}words</svg>", "text: words"),
    (f"{HEAD}{HEAD}</svg></svg>", "one <svg>"),
    ('<svg viewBox="0 0 24 24"/>', "lacks xmlns"), (DOT.replace("0 0 24", "0 0 48"), "viewBox"),
    ("<g/>", "one <svg>"), (f"{HEAD}<path", "not XML"), ("", "not XML"),
    (f'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>{DOT}', "document type"),
    (f'<?xml-stylesheet href="a.css"?>{DOT}', "processing instruction"),
    (DOT.replace("</svg>", " " * MAX_BYTES + "</svg>"), "larger than 4096 bytes"),
])
def test_what_is_no_icon_is_refused(text: str, said: str, tmp_path: Path, capsys) -> None:
    with pytest.raises(IconError, match=re.escape(said)):
        icon_of(text.encode())
    write_descriptor(tmp_path, "block", BLOCK)
    (tmp_path / "thing" / "icon.svg").write_text(text)
    assert codes(tmp_path) == [("E_DESCRIPTOR", "")]
    assert cli.main(["catalog", "--block-path", str(tmp_path)]) == 3
    error = capsys.readouterr().err
    assert "thing/icon.svg: " in error and said in error


def test_the_limit_is_of_what_is_written_too() -> None:
    """Use empty groups, which were once written with separate end tags and grew by three quarters."""
    groups = HEAD + "<g><g/></g>" * ((MAX_BYTES - len(HEAD) - 6) // 11) + "</svg>"
    assert icon_of(groups.encode()) == groups and len(groups) > MAX_BYTES - 11
    assert icon_of(f"{HEAD}<g><path d=''></path></g><g></g></svg>".encode()) == f'{HEAD}<g><path d=""/></g><g/></svg>'
    head = HEAD.removesuffix(">") + ' stroke-width="'
    with pytest.raises(IconError, match="after expansion"):
        icon_of(f'{head}{"1" * (MAX_BYTES - len(head) - 3)}"/>'.encode())


def test_a_block_outside_the_tree_brings_its_icon(tmp_path: Path) -> None:
    write_descriptor(tmp_path, "block", BLOCK)
    assert load_catalog([tmp_path]).blocks["thing"].icon is None
    (tmp_path / "thing" / "icon.svg").write_text(f'<?xml version="1.0"?>\n<!-- <svg> -->\n{DOT}\n')
    assert load_catalog([tmp_path]).blocks["thing"].icon == DOT


def test_an_icon_is_put_into_a_picture_in_one_colour() -> None:
    assert placed(DOT, 2, 3, 12, "#FFFFFF") == (
        '<g transform="translate(2 3) scale(0.5)"><g><circle cx="12" cy="12" r="4" fill="#FFFFFF"/></g></g>')


def test_a_picture_shows_the_icon_of_a_block_or_of_its_category(tmp_path: Path, capsys) -> None:
    def shows(icon: str) -> bool:
        assert cli.main(["export", "--picture", str(project), "--block-path", str(tmp_path)]) == 0
        return icon.split(">",
                          1)[1].removesuffix("</svg>").replace("currentColor", "#FFFFFF") in capsys.readouterr().out

    document = json.loads((ROOT / "examples" / "quickstart.weir.json").read_text())
    next(b for b in document["graph"]["blocks"] if b["id"] == "gain").update(type="thing", parameters={})
    project = tmp_path / "p.weir.json"
    project.write_text(json.dumps(document))
    write_descriptor(tmp_path, "block", BLOCK)
    (tmp_path / "thing" / "thing.hpp").touch()
    assert shows(load_catalog().blocks["digest_sink"].icon)
    assert shows(category_icon("control")) and not shows(DOT)
    (tmp_path / "thing" / "icon.svg").write_text(DOT)
    assert shows(DOT) and not shows(category_icon("control"))
