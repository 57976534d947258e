"""Test that the check of our prose finds planted faults and nothing else."""

from __future__ import annotations

import subprocess
import sys

import prose
import pytest


@pytest.mark.parametrize(("docstring", "found"), [
    ("What is there.", ["What"]), ("Of each block.", ["Of"]), ("Whether it runs.", ["Whether"]),
    ("Return the rate.", []), ("Ring buffer for one producer.", []), ("Offer items.", []), ("Whatever.", [])])
def test_docstrings_begin_with_a_verb_or_a_noun(docstring, found):
    text = f'def function():\n    """{docstring}"""\n'
    assert [word for _, word in prose.docstrings(text)] == found
    assert [word for _, word in prose.doc_comments(f"/// {docstring}\nint function();\n")] == found


def test_only_the_first_line_of_a_comment_is_its_beginning():
    assert list(prose.doc_comments("/// Rate of the\n/// What follows\nint rate;\n")) == []


def test_subjects_have_72_columns_but_for_merges():
    fits, long = "x" * 72, "x" * 73
    assert list(prose.long_subjects(f"{fits}\n{long}\nMerge {long}\n")) == [long]


def test_a_retired_word_is_found_where_it_stands(tmp_path, monkeypatch):
    (tmp_path / "page.md").write_text("First.\nThe witness ran.\n")
    (tmp_path / "CONTRIBUTING.md").write_text("| speed check | witness |\n")
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    assert list(prose._of_files()) == ["page.md:2: `witness` is retired: see the glossary in CONTRIBUTING.md"]


def test_a_seed_draws_the_same_texts_each_time():
    drawn = [subprocess.run([sys.executable, "docs/draw_texts.py", seed], cwd=prose.ROOT, stdout=subprocess.PIPE,
                            text=True, check=True).stdout.splitlines() for seed in ("1", "1", "2")]
    assert drawn[0] == drawn[1] != drawn[2] and len(set(drawn[0])) == 20
