"""Test the strict reader and the canonical writer."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest
from conftest import CODEGEN
from hypothesis import given
from hypothesis import strategies as st
from weir import cli
from weir.model.document import jsontext

CORPUS = sorted(f for f in (CODEGEN / "tests" / "canonical").glob("*.json") if not f.name.endswith(".out.json"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(jsontext.INT64_MIN, jsontext.INT64_MAX)
    | st.floats(allow_nan=False, allow_infinity=False) | st.text(st.characters(blacklist_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(st.characters(blacklist_categories=["Cs"])),
                                                                inner, max_size=5),
    max_leaves=40)


@pytest.mark.parametrize("file", CORPUS, ids=lambda f: f.stem)
def test_canonical_corpus(file: Path) -> None:
    value, faults = jsontext.read(file.read_bytes())
    assert faults == []
    assert jsontext.write(value) == file.with_suffix(".out.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", CORPUS, ids=lambda f: f.stem)
def test_canonical_text_is_canonical(file: Path) -> None:
    text = file.with_suffix(".out.json").read_text(encoding="utf-8")
    assert jsontext.write(jsontext.read(text)[0]) == text


def test_corpus_is_there() -> None:
    assert len(CORPUS) >= 20


@given(JSON)
def test_writer_and_reader_agree_with_the_standard_library(value: object) -> None:
    text = jsontext.write(value)
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert all(line == line.rstrip() for line in text.split("\n"))
    # repr distinguishes 1 from 1.0 and 0.0 from -0.0, and keeps the order of keys.
    assert repr(json.loads(text)) == repr(value)
    assert repr(jsontext.read(text)) == repr((value, []))
    assert repr(jsontext.read(json.dumps(value))) == repr((value, []))


@given(JSON)
def test_lines_are_as_long_as_they_may_be(value: object) -> None:
    for line in jsontext.write({"key": value}).splitlines():
        inner = line.strip().rstrip(",")
        if inner.endswith(("]", "}")) and len(inner) > 1:
            assert len(line) <= 100


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")))
def test_any_bytes_give_a_value_or_a_diagnostic(data: bytes) -> None:
    value, faults = jsontext.read(data)
    assert all(d.code.startswith("E_JSON_") for d in faults)
    try:
        expected = json.loads(data.decode("utf-8"), parse_constant=lambda _: pytest.fail)
    except (ValueError, RecursionError):
        return
    if not faults:
        assert repr(value) == repr(expected)


def strictly(text: str) -> tuple[object, list]:
    """Read with the reader that reports faults, and no other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsontext, "_read_at_once", lambda text: float("no"))
        return jsontext.read(text)


@given(JSON, st.data())
def test_damaged_text_never_raises_and_both_readers_agree(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    damage = data.draw(st.sampled_from([
        "", ",", "]", "}", '"', "\\", "NaN", "1e999", "\x00", "-", "{", "[", "0", "9" * 19, "-0", ".5",
        '"a": 1, "a": 2,', "\\ud83d", "\\ud83d\\ude00", "\ud83d", "\u00a0", "\t"]))
    damaged = text[:at] + damage + text[at + data.draw(st.integers(0, 2)):]
    assert repr(jsontext.read(damaged)) == repr(strictly(damaged))


@pytest.mark.parametrize(("text", "code", "pointer", "where"), [
    ('{"a": 1, "a": 2}', "E_JSON_DUPLICATE_KEY", "/a", "line 1, column 10"),
    ('{"x": [{"a~/": 1,\n "a~/": 2}]}', "E_JSON_DUPLICATE_KEY", "/x/0/a~0~1", "line 2, column 2"),
    ('[NaN]', "E_JSON_NOT_FINITE", "/0", "line 1, column 2"),
    ('[1, -Infinity]', "E_JSON_NOT_FINITE", "/1", "-Infinity"),
    ('[1e999]', "E_JSON_NUMBER", "/0", "1e999"),
    ('[9223372036854775808]', "E_JSON_NUMBER", "/0", "9223372036854775808"),
    ('[-9223372036854775809]', "E_JSON_NUMBER", "/0", ""),
    ("[" + "9" * 5000 + "]", "E_JSON_NUMBER", "/0", "99999999999999999999…"),
    ('["\\ud800"]', "E_JSON_ENCODING", "/0", "half a surrogate pair"),
    ('{"a": 1,}', "E_JSON_SYNTAX", "", "column 9"),
    ("[01]", "E_JSON_SYNTAX", "", "column 2: a JSON number cannot begin with 0"),
    ("[1 /* no */]", "E_JSON_SYNTAX", "", "column 4"),
    ("[1]\n\n[2]", "E_JSON_SYNTAX", "", "line 3, column 1"),
    ('"a\nb"', "E_JSON_SYNTAX", "", "line 1"),
    ("\ufeff[]", "E_JSON_SYNTAX", "", "byte order mark"),
    ("", "E_JSON_SYNTAX", "", "the text ends"),
    ("[" * 65 + "]" * 65, "E_JSON_DEPTH", "", "64"),
    ('{"a":' * 65 + "1" + "}" * 65, "E_JSON_DEPTH", "", "64"),
])
def test_faults_of_text(text: str, code: str, pointer: str, where: str) -> None:
    value, faults = jsontext.read(text)
    assert value is None and (value, faults) == strictly(text)
    assert [(d.code, d.pointer) for d in faults] == [(code, pointer)]
    assert where in faults[0].message


def test_depth_64_is_read() -> None:
    text = "[" * 64 + "]" * 64
    assert jsontext.read(text) == strictly(text) and not jsontext.read(text)[1]


def test_bytes_that_are_not_utf8() -> None:
    assert [d.code for d in jsontext.read(b'{\n"a": "\xff"}')[1]] == ["E_JSON_ENCODING"]
    assert "line 2" in jsontext.read(b'{\n"a": "\xff"}')[1][0].message


def test_all_values_that_are_wrong_are_reported_at_once() -> None:
    faults = jsontext.read('{"a": NaN, "b": 1e999, "a": 1}')[1]
    assert [d.code for d in faults] == ["E_JSON_NOT_FINITE", "E_JSON_NUMBER", "E_JSON_DUPLICATE_KEY"]


@pytest.mark.parametrize("value", [math.nan, math.inf, {"a": {1, 2}}])
def test_writer_refuses_what_has_no_json(value: object) -> None:
    with pytest.raises(ValueError):
        jsontext.write(value)


def test_format_verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "p.weir.json"
    file.write_text('{"a":[1,\n2]}')
    assert cli.main(["format", "--check", str(file)]) == 1
    assert file.read_text() == '{"a":[1,\n2]}'
    assert cli.main(["format", str(file)]) == 0
    assert file.read_text() == '{\n  "a": [1, 2]\n}\n'
    before = file.stat()
    assert cli.main(["format", str(file)]) == cli.main(["format", "--check", str(file)]) == 0
    assert file.stat().st_ino == before.st_ino  # a canonical file is not written again
    file.write_text("{")
    assert cli.main(["format", str(file)]) == 1
    assert file.read_text() == "{" and "E_JSON_SYNTAX" in capsys.readouterr().err
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    file.write_text("[]")
    assert cli.main(["format", str(file)]) == 3
    assert "E_DISK_FULL" in capsys.readouterr().err and file.read_text() == "[]"
