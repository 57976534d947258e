"""Test descriptors, the library's own and bad ones, and the schemas."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from pathlib import Path

import jsonschema
import pytest
from conftest import BAD, CODEGEN, FIXTURES, write_descriptor
from hypothesis import given
from hypothesis import strategies as st
from weir import cli
from weir.diagnostics import WeirError
from weir.model.behaviour import history_of
from weir.model.catalog import BlockType, load_catalog
from weir.model.catalog_text import RATES, behaviour_of
from weir.model.document import jsontext, shape
from weir.model.document.deployment import Build, RunSettings
from weir.model.icons import read_icon

SCHEMAS = sorted(f.name.removesuffix(".schema.json") for f in (CODEGEN / "weir" / "schema").glob("*.schema.json"))
BLOCK = {"format": 1, "id": "thing", "title": "Thing", "behaviour": {"state": "stateless"}, "item_types": ["f32"],
         "inputs": [{"id": "in", "type": "T"}], "outputs": [{"id": "out", "type": "T", "rate": {"expr": "n"}}],
         "parameters": [{"id": "n", "type": "i64", "default": 1, "structural": True}]}


def codes(folder: Path, **options: object) -> list[tuple[str, str]]:
    with pytest.raises(WeirError) as caught:
        load_catalog([folder], **options)
    assert caught.value.exit_code == 3
    return [(d.code, d.pointer) for d in caught.value.diagnostics]


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_a_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(shape.schema(name))


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_keyword_of_a_schema_is_ignored(name: str) -> None:
    assert list(shape.not_interpreted(shape.schema(name))) == []


@pytest.mark.parametrize(("rule", "where"), [
    ({"properties": {"a": {"multipleOf": 2}}}, "/properties/a/multipleOf"), ({"not": {"type": "null"}}, "/not"),
    ({"items": {"anyOf": [{"type": "null"}, {"format": "date"}]}}, "/items/anyOf/1/format"),
    ({"patternProperties": {"^x_": {"contains": True}}}, "/patternProperties/^x_/contains"),
    ({"$defs": {"a": {"$ref": "other.schema.json#/$defs/a"}}}, "/$defs/a/$ref"),
    ({"properties": {"a": False}}, "/properties/a"),
    ({"additionalProperties": {"propertyNames": {"if": True}}}, "/additionalProperties/propertyNames/if")])
def test_a_schema_that_says_something_else_is_refused(rule: dict, where: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(shape, "SCHEMA_FOLDER", tmp_path)
    (tmp_path / "odd.schema.json").write_text(json.dumps(rule))
    with pytest.raises(ValueError, match=f"odd.schema.json:{re.escape(where)}: .* is not interpreted"):
        shape.check_shape({}, "odd")


RULES = [
    {"minLength": 2}, {"maxLength": 2}, {"exclusiveMinimum": 1}, {"minimum": 1, "maximum": 2}, {"enum": ["a", 1]},
    {"maxProperties": 1}, {"minProperties": 2}, {"dependentRequired": {"a": ["b"]}}, {"pattern": "^a$"},
    {"properties": {"a": {"minimum": 1}}, "patternProperties": {"^a": {"maximum": 1}, "b": {"type": "string"}},
     "additionalProperties": False},
    {"oneOf": [{"type": "number"}, {"type": "integer"}]}, {"anyOf": [{"type": "number"}, {"type": "integer"}]},
    {"oneOf": [{"type": "string"}, {"type": "null"}], "anyOf": [{"const": "a"}, {"const": None}, {"const": 1}]},
    {"propertyNames": {"maxLength": 1}}, {"minItems": 1, "maxItems": 2, "uniqueItems": True, "items": {"minimum": 1}}]
FITTING = st.sampled_from([None, True, 0, 1, 1.5, 2, 3, "", "a", "aa", "aaa", [], [1], [1, 1], [1, 2], [1, 2, 3], [0],
                           {}, {"a": 1}, {"a": 2}, {"b": "x"}, {"b": 1}, {"a": 1, "b": "x"}, {"aa": 3},
                           {"c": 1, "d": 2}])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: "-".join(rule))
@given(value=FITTING)
def test_each_keyword_says_what_jsonschema_says(rule: dict, value: object) -> None:
    ours = list(shape._check(value, rule, rule, ()))
    assert (not ours) == jsonschema.Draft202012Validator(rule).is_valid(value), ours


def test_library_loads_and_agrees_with_jsonschema() -> None:
    catalog = load_catalog()
    assert {"null_source", "head", "fir_filter", "null_sink"} <= catalog.blocks.keys()
    for name, kinds in (("block", catalog.blocks), ("scheduler", catalog.schedulers), ("target", catalog.targets)):
        for kind in kinds.values():
            jsonschema.Draft202012Validator(shape.schema(name)).validate(kind.descriptor)


def test_catalog_verb(capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["catalog", "--json", "--scheduler-path", str(FIXTURES / "schedulers")]) == 0
    answer = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("catalog")).validate(answer)
    fir = next(b for b in answer["blocks"] if b["id"] == "fir_filter")
    folder = CODEGEN.parent / "block-library" / "filters" / "fir_filter"
    descriptor = json.loads((folder / "block.json").read_text())
    assert fir == {**descriptor, "family": "filters", "source": str(folder / "fir_filter.hpp"),
                   "icon": read_icon(folder / "icon.svg"), "gnuradio": fir["gnuradio"],
                   "followed_by": fir["followed_by"]}
    assert answer["defaults"]["run"]["items"] == RunSettings().items
    assert answer["defaults"]["deployment"]["build"]["compiler"] == Build().compiler
    assert "picky" in [s["id"] for s in answer["schedulers"]]
    assert ["f32", "f32"] in answer["connectable"] and ["f32", "c64"] not in answer["connectable"]
    assert cli.main(["catalog"]) == 0
    assert "fir_filter" in capsys.readouterr().out


def test_block_outside_the_tree(tmp_path: Path) -> None:
    write_descriptor(tmp_path / "mine", "block", BLOCK)
    catalog = load_catalog([tmp_path])
    assert catalog.blocks["thing"].family == "mine"
    assert catalog.blocks["thing"].outputs[0].rate == {"expr": "n"}
    assert load_catalog([tmp_path / "mine"]).blocks["thing"].source == tmp_path / "mine" / "thing" / "thing.hpp"


@pytest.mark.parametrize(("change", "where"), [
    ({"format": 2}, "/format"), ({"colour": 1}, "/colour"), ({"behaviour": {}}, "/behaviour"),
    ({"item_types": ["f16"]}, "/item_types/0"), ({"item_types": []}, "/item_types"),
    ({"inputs": [{"id": "in", "type": "T", "rate": 0}]}, "/inputs/0/rate"),
    ({"outputs": [{"id": "out", "type": "T", "rate": {"expr": "m"}}]}, ""),
    ({"outputs": [{"id": "out", "type": "T", "rate": {"expr": "1 +"}}]}, ""),
    ({"outputs": [{"id": "out", "type": "T", "rate": {"expr": "t_length"}}],
      "parameters": [{"id": "t", "type": "f32_list", "default": [1.0]}]}, ""),
    ({"outputs": [{"id": "in", "type": "T"}]}, ""),
    ({"parameters": [{"id": "n", "type": "i64"}, {"id": "n", "type": "i64"}]}, "/parameters"),
    ({"parameters": [{"id": "n", "type": "enum", "default": "a"}]}, "/parameters/0"),
    ({"parameters": [{"id": "n", "type": "path"}]}, "/parameters/0"), ({"uses": ["volk)"]}, "/uses/0"),
    ({"behaviour": {"state": "stateless", "bounds": "items"}}, "/behaviour/bounds"),
    ({"behaviour": {"state": "stateless", "rates": "any"}}, "/behaviour/rates"),
    ({"behaviour": {"state": "stateful", "rates": "fixed", "waits": True}}, "/behaviour/rates"),
    ({"behaviour": {"state": "stateful", "rates": "varying", "waits": True, "paces": True}}, "/behaviour/paces"),
    ({"behaviour": {"state": "stateful", "rates": "fixed", "bounds": "n"}}, "/behaviour/rates"),
    ({"behaviour": {"state": "stateless", "rates": "varying", "element_wise": True}}, "/behaviour/rates"),
    ({"behaviour": {"state": "stateless", "element_function": True}}, "/behaviour/element_function"),
    ({"behaviour": {"state": "history", "element_wise": True, "element_function": True}},
     "/behaviour/element_function"),
    ({"behaviour": {"state": "stateless", "element_wise": True, "element_function": True}, "inputs": []},
     "/behaviour/element_function"),
    ({"behaviour": {"state": "stateless", "history": 1}}, "/behaviour/history"),
    ({"behaviour": {"state": "history", "history": -1}}, "/behaviour/history"),
    ({"behaviour": {"state": "history", "history": {"expr": "n_length"}}}, "/behaviour/history"),
    ({"behaviour": {"state": "history", "history": {"expr": "n -"}}}, "/behaviour/history"),
    ({"parameters": [{"id": "n", "type": "i64", "default": 1, "design": "fir"}]}, "/parameters/0/design"),
    ({"parameters": [{"id": "n", "type": "i64", "minimum_length": 1}]}, "/parameters/0/minimum_length"),
    ({"parameters": [{"id": "n", "type": "i64", "below": "m"}]}, "/parameters/0/below"),
    ({"parameters": [{"id": "n", "type": "f32", "below": "m"}, {"id": "m", "type": "i64"}]}, "/parameters/0/below"),
    ({"parameters": [{"id": "n", "type": "i64", "within_file": "p"},
                     {"id": "p", "type": "path", "access": "write"}]}, "/parameters/0/within_file"),
])
def test_bad_descriptors(tmp_path: Path, change: dict, where: str) -> None:
    write_descriptor(tmp_path, "block", {**BLOCK, **change})
    assert ("E_DESCRIPTOR", where) in codes(tmp_path)


def of_behaviour(tmp_path: Path, **behaviour: object) -> BlockType:
    parameters = [*BLOCK["parameters"], {"id": "taps", "type": "f32_list", "default": [1]}]
    write_descriptor(tmp_path, "block", {**BLOCK, "parameters": parameters, "behaviour": behaviour})
    return load_catalog([tmp_path]).blocks["thing"]


@pytest.mark.parametrize(("rates", "met"), [("fixed", (True, True)), ("until_end", (False, True)),
                                            ("varying", (False, False)), (None, (False, False))])
def test_rates_are_what_a_scheduler_may_require(tmp_path: Path, rates: str | None, met: tuple[bool, bool]) -> None:
    block = of_behaviour(tmp_path, state="stateful", **({"rates": rates} if rates else {}))
    assert (block.meets("static_rate"), block.meets("static_rate_until_end")) == met


@pytest.mark.parametrize(("behaviour", "items"), [
    ({"state": "stateless"}, 0), ({"state": "stateful"}, None), ({"state": "history"}, None),
    ({"state": "history", "history": 3}, 3), ({"state": "history", "history": {"expr": "taps_length - n"}}, 2),
    ({"state": "history", "history": {"expr": "n - taps_length"}}, 0)])
def test_history_in_items(tmp_path: Path, behaviour: dict, items: int | None) -> None:
    assert history_of(of_behaviour(tmp_path, **behaviour).descriptor, {"n": 2, "taps": [1.0] * 4}) == items


def test_each_block_of_the_library_says_how_it_moves_items() -> None:
    """Check the declarations, which verbs and the page of blocks show, and which block-library/tests verify."""
    for block in load_catalog().blocks.values():
        assert block.behaviour["rates"] == block.rates
        assert RATES[block.rates] in behaviour_of(block)
        assert (block.behaviour["state"] == "history") == ("history" in block.behaviour), block.id


@pytest.mark.parametrize(("change", "where"), [
    ({"files": None}, ""), ({"files": []}, "/files"), ({"files": [{"template": "main.cpp.j2"}]}, "/files/0"),
    ({"copies": {}}, "/copies"), ({"copies": [{"from": "blocks", "to": "weir"}]}, "/copies/0")])
def test_bad_targets(tmp_path: Path, change: dict, where: str) -> None:
    target = {"format": 1, "id": "mine", "title": "Mine", "files": [{"template": "a.j2", "output": "a"}], **change}
    write_descriptor(tmp_path / "templates", "target", {k: v for k, v in target.items() if v is not None})
    with pytest.raises(WeirError) as caught:
        load_catalog(root=tmp_path)
    assert [(d.code, d.pointer) for d in caught.value.diagnostics] == [("E_DESCRIPTOR", where)]


@pytest.mark.parametrize(("change", "where"), [
    ({"code_of": "flwo"}, "/code_of"), ({"code_of": "single_thread"}, "/code_of"), ({"code_of": 1}, "/code_of"),
    ({"code_of": "static"}, "/code_of"), ({"code_of": "thread_pool"}, "/jobs"),
    ({"jobs": "instance", "placement": False}, "/jobs"),
    ({"parameters": [{"id": "n", "type": "i64", "default": 1}]}, "/parameters/0")])
def test_bad_schedulers_with_the_code_of_another(tmp_path: Path, change: dict, where: str) -> None:
    good = {"format": 1, "id": "mine", "title": "Mine", "workers": "chosen", "placement": True, "max_workers": 4,
            "wait": ["park"], "code_of": "flow"}
    write_descriptor(tmp_path / "good", "scheduler", good)
    catalog = load_catalog(scheduler_paths=[tmp_path / "good"])
    assert catalog.schedulers["mine"].source == catalog.schedulers["flow"].source
    write_descriptor(tmp_path / "bad", "scheduler", {**good, **change})
    with pytest.raises(WeirError) as caught:
        load_catalog(scheduler_paths=[tmp_path / "bad"])
    assert [(d.code, d.pointer) for d in caught.value.diagnostics] == [("E_DESCRIPTOR", where)]


def test_a_catalog_of_nothing_is_an_error_that_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                                capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr("weir.model.catalog.load_catalog.__defaults__", (*load_catalog.__defaults__[:-1], tmp_path))
    assert cli.main(["catalog"]) != 0
    said = capsys.readouterr()
    assert not said.out and f"{tmp_path} has no block, scheduler or target" in said.err


def test_pip_installs_no_command_that_has_no_catalog() -> None:
    project = tomllib.loads((CODEGEN / "pyproject.toml").read_text())["project"]
    assert "scripts" not in project and "cmake --install" in project["readme"]["text"]


def test_descriptor_in_the_wrong_folder_and_not_json(tmp_path: Path) -> None:
    write_descriptor(tmp_path, "block", BLOCK).parent.rename(tmp_path / "other")
    write_descriptor(tmp_path, "block", {"id": "text"}).write_text("{")
    assert codes(tmp_path) == [("E_DESCRIPTOR", "/id"), ("E_DESCRIPTOR", "")]


def test_a_descriptor_that_changed_is_read_again_and_its_catalogs_share_nothing(tmp_path: Path) -> None:
    """Change the bytes of a descriptor: its cached contents are discarded."""
    file = write_descriptor(tmp_path / "test", "block", BLOCK)
    first, second = (load_catalog([tmp_path]).blocks["thing"].descriptor for _ in range(2))
    assert first == second == BLOCK and first is not second
    first["inputs"].clear()
    assert load_catalog([tmp_path]).blocks["thing"].descriptor == BLOCK
    write_descriptor(tmp_path / "test", "block", {**BLOCK, "title": 7})
    assert codes(tmp_path) == [("E_DESCRIPTOR", "/title")] == codes(tmp_path)
    file.write_text(json.dumps({**BLOCK, "title": "Another"}))
    assert load_catalog([tmp_path]).blocks["thing"].title == "Another"


def test_same_id_twice_and_no_folder(tmp_path: Path) -> None:
    write_descriptor(tmp_path, "block", {**BLOCK, "id": "head"})
    assert codes(tmp_path) == [("E_DESCRIPTOR_DUPLICATE", "/id")]
    assert codes(tmp_path / "none") == [("E_FILE_MISSING", "")]


@pytest.mark.parametrize("file", sorted(BAD.glob("*.json")), ids=lambda f: f.name)
def test_shape_agrees_with_jsonschema_on_bad_projects(file: Path) -> None:
    value, faults = jsontext.read(file.read_bytes())
    # In Python's regular expressions, and so in jsonschema, `$` also matches before a final newline.
    if not faults and "newline" not in file.name:
        assert_same_verdict(value)


def assert_same_verdict(value: object) -> None:
    ours = shape.check_shape(value, "project")
    theirs = jsonschema.Draft202012Validator(shape.schema("project")).is_valid(value)
    assert (not ours) == theirs, ours


EXAMPLES = [json.loads(f.read_text()) for f in sorted((CODEGEN.parent / "examples").glob("*.weir.json"))]
VALUES = st.sampled_from([None, True, 0, 1, -1, 1.5, 2.0, "", "x", "auto", [], [1], {}, {"expr": "1"}, {"expr": 1},
                          {"x_a": 1}]).map(copy.deepcopy)  # the next value may be put into this one


def places(value: object) -> list[tuple[object, object]]:
    """Return (container, key) of everything in a document."""
    found = []
    for key, child in value.items() if isinstance(value, dict) else enumerate(value):
        found.append((value, key))
        if isinstance(child, (dict, list)):
            found += places(child)
    return found


@given(st.sampled_from(EXAMPLES), st.data())
def test_shape_agrees_with_jsonschema_on_mutated_projects(example: dict, data: st.DataObject) -> None:
    project = json.loads(json.dumps(example))
    for _ in range(data.draw(st.integers(1, 3))):
        container, key = data.draw(st.sampled_from(places(project)))
        if data.draw(st.booleans()):
            container[key] = data.draw(VALUES)
        elif isinstance(container, dict):
            container[data.draw(st.sampled_from(["x_note", "Bad", "items", "expr"]))] = data.draw(VALUES)
    assert_same_verdict(project)
