"""Test loading: versions, names, parameters, values, deployments, run settings, --set and paths."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from conftest import BAD, CODEGEN, block, build, chain, document, load
from hypothesis import given
from hypothesis import strategies as st
from weir.diagnostics import CODES, WeirError, resolve
from weir.model.catalog import Catalog
from weir.model.check import check
from weir.model.document import jsontext
from weir.model.document.deployment import Build, RunSettings
from weir.model.document.project import load_project

KNOBS = block("k", "knobs")


def knob(catalog: Catalog, name: str, value: object, *, item_type: str = "f32", **options: object) -> tuple[object,
                                                                                                            list]:
    """Return the value that parameter `name` of a block gets, and the codes."""
    project = chain(block("k", "knobs", parameters={name: value}), **options)
    project["graph"]["blocks"][0]["parameters"]["item_type"] = item_type
    graph, codes, _ = build(project, catalog)
    return graph and graph.instance("k").parameters[name], codes


@pytest.mark.parametrize(("name", "value", "result"), [
    ("gain", 2, 2.0), ("gain", {"expr": "3 / 2"}, 1.5), ("count", {"expr": "2 * n"}, 6), ("count", 7.0, 7),
    ("count", {"expr": "8 / 2"}, 4),
    ("level", -3, -3.0), ("on", True, True), ("label", "a\"b\n*/", "a\"b\n*/"), ("shape", "square", "square"),
    ("file", "data/x.bin", "data/x.bin"), ("file", "a..b", "a..b"),
    ("taps", [1, {"expr": "n"}, -2.5], [1.0, 3.0, -2.5]), ("taps", [], []),
])
def test_values(catalog: Catalog, name: str, value: object, result: object) -> None:
    got, codes = knob(catalog, name, value, parameters={"n": {"value": 3}})
    assert codes == [] and got == result and type(got) is type(result)


@pytest.mark.parametrize(("item_type", "value", "result"), [
    ("c64", 2, (2.0, 0.0)), ("c64", [1, {"expr": "-1"}], (1.0, -1.0)), ("u8", 255, 255), ("u8", 3.0, 3),
])
def test_item_values(catalog: Catalog, item_type: str, value: object, result: object) -> None:
    got, codes = knob(catalog, "gain", value, item_type=item_type)
    assert codes == [] and got == result and type(got) is type(result)


@pytest.mark.parametrize(("name", "value", "item_type", "code"), [
    ("gain", 256, "u8", "E_PARAMETER_RANGE"), ("gain", -1, "u8", "E_PARAMETER_RANGE"),
    ("gain", 1.5, "u8", "E_EXPR_FRACTION"),
    ("gain", 1e39, "f32", "E_PARAMETER_RANGE"), ("gain", [1, 2], "f32", "E_PARAMETER_TYPE"),
    ("gain", [1], "c64", "E_PARAMETER_TYPE"),
    ("gain", "1", "f32", "E_PARAMETER_TYPE"), ("gain", True, "f32", "E_PARAMETER_TYPE"),
    ("count", 0, "f32", "E_PARAMETER_RANGE"),
    ("count", 101, "f32", "E_PARAMETER_RANGE"), ("count", 2.5, "f32", "E_EXPR_FRACTION"),
    ("count", {"expr": "5 / 2"}, "f32", "E_EXPR_FRACTION"),
    ("count", 1e300, "f32", "E_PARAMETER_RANGE"), ("level", 1.5, "f32", "E_PARAMETER_RANGE"),
    ("on", 1, "f32", "E_PARAMETER_TYPE"),
    ("on", {"expr": "1"}, "f32", "E_PARAMETER_TYPE"), ("label", 3, "f32", "E_PARAMETER_TYPE"),
    ("label", "a\0b", "f32", "E_PARAMETER_TYPE"),
    ("shape", "sqare", "f32", "E_PARAMETER_CHOICE"), ("taps", 3, "f32", "E_PARAMETER_TYPE"),
    ("taps", [1e300], "f32", "E_PARAMETER_RANGE"),
    ("file", "../x", "f32", "E_PATH_OUTSIDE"), ("file", "a/../../x", "f32", "E_PATH_OUTSIDE"),
    ("file", "/x", "f32", "E_PATH_OUTSIDE"),
    ("none", 1, "f32", "E_PARAMETER_UNKNOWN"), ("count", {"expr": "1 / 0"}, "f32", "E_EXPR_ZERO_DIVISION"),
])
def test_values_that_are_refused(catalog: Catalog, name: str, value: object, item_type: str, code: str) -> None:
    got, codes = knob(catalog, name, value, item_type=item_type)
    assert got is None and [c for c, _ in codes] == [code]
    assert codes[0][1].startswith(f"/graph/blocks/1/parameters/{name}")


def test_defaults_fill_every_parameter(catalog: Catalog) -> None:
    graph, codes, _ = build(chain(KNOBS), catalog)
    assert codes == []
    assert graph.instance("k").parameters == {"gain": 1.0, "count": 4, "level": 0.5, "on": False, "label": "",
                                              "shape": "round", "file": "", "taps": [1.0]}


def test_paths_may_be_allowed_and_links_may_not_leave(catalog: Catalog, tmp_path: Path) -> None:
    inside, outside = tmp_path / "project", tmp_path / "data"
    inside.mkdir()
    outside.mkdir()
    (inside / "link").symlink_to(outside)

    def codes(path: str, **options: object) -> list[str]:
        return [c for c, _ in build(chain(block("k", "knobs", parameters={"file": path})), catalog, directory=inside,
                                    **options)[1]]

    for path in (str(outside / "x"), "../data/x", "link/x"):
        assert codes(path) == ["E_PATH_OUTSIDE"]
        assert codes(path, allow_paths=[outside]) == []
        assert codes(path, allow_paths=[tmp_path / "dat"]) == ["E_PATH_OUTSIDE"]


@pytest.mark.parametrize("named", ["r.sigmf-meta", "r.sigmf-data"])
@pytest.mark.parametrize("linked", ["r.sigmf-meta", "r.sigmf-data"])
def test_both_files_of_a_recording_must_lie_inside(named: str, linked: str, library: Catalog, tmp_path: Path) -> None:
    inside, outside = tmp_path / "project", tmp_path / "secret"
    inside.mkdir()
    outside.write_bytes(bytes(16))
    for name in {"r.sigmf-meta", "r.sigmf-data"} - {linked}:
        (inside / name).write_bytes(bytes(16))
    (inside / linked).symlink_to(outside)
    source = block("s", "sigmf_source", item_type="f32", parameters={"path": named})
    project = document([source, block("n", "null_sink")], ["s.out > n.in"])
    assert build(project, library, directory=inside)[1] == [("E_PATH_OUTSIDE", "/graph/blocks/0/parameters/path")]
    assert build(project, library, directory=inside, allow_paths=[tmp_path])[1] == []
    (inside / linked).unlink()
    (inside / linked).symlink_to(inside / "other")
    assert build(project, library, directory=inside)[1] == []


def test_parameters_are_evaluated_in_the_order_they_need() -> None:
    project = load(chain(parameters={"c": {"value": {"expr": "b * 2"}, "maximum": {"expr": "a * 10"}},
                                     "b": {"value": {"expr": "a + 1"}}, "a": {"value": 2}}))
    assert project.parameters == {"a": 2, "b": 3, "c": 6}


def test_what_uses_a_wrong_parameter_is_not_told_again(catalog: Catalog) -> None:
    project = chain(block("w", "wire", repeat={"expr": "b"}),
                    parameters={"a": {"value": {"expr": "1 / 0"}}, "b": {"value": {"expr": "a"}}}, pipes={"expr": "a"})
    assert build(project, catalog)[1] == [("E_EXPR_ZERO_DIVISION", "/parameters/a/value")]


def test_recursion_names_the_cycle() -> None:
    project = chain(parameters={"x": {"value": {"expr": "y"}}, "y": {"value": {"expr": "z"}},
                                "z": {"value": {"expr": "y"}}})
    _, faults = load_project(json.dumps(project))
    assert [(d.code, d.pointer) for d in faults] == [("E_EXPR_RECURSION", "/parameters/y/value")]
    assert "y -> z -> y" in faults[0].message


def test_set_changes_parameters_and_places() -> None:
    project = chain(block("w", "wire"), parameters={"n": {"value": 1}}, deployments=[{"name": "d", "scheduler": "one"}])
    loaded = load(project, sets={"n": "2 * 2k", "/deployments/0/scheduler": "some", "/run": '{"items": 5}',
                                 "/graph/pipes": "3", "/graph/blocks/1/repeat": "2"})
    assert loaded.parameters == {"n": 4000}
    assert loaded.deployment().scheduler == "some" and loaded.run.items == 5
    assert loaded.document["graph"]["pipes"] == 3 and loaded.document["graph"]["blocks"][1]["repeat"] == 2
    assert load(project, sets={"/run": "{}"}).run == RunSettings()
    assert load(project, sets={"/title": "text as it is"}).title == "text as it is"
    assert load(project | {"run": {"items": 1}}, sets={"/run/items": "2.4M"}).run.items == 2400000
    loaded = load(project, sets={"/deployments/0/interference/loops": "4",
                                 "/deployments/0/interference/cpu_limit": "none"})
    assert loaded.document["deployments"][0]["interference"] == {"loops": 4, "cpu_limit": "none"}


@pytest.mark.parametrize(("sets", "code"), [
    ({"m": "1"}, "E_SET_UNKNOWN"), ({"/graph/blocks/9/id": "x"}, "E_SET_UNKNOWN"),
    ({"/graph/blocks/-": "1"}, "E_SET_UNKNOWN"),
    ({"/name/x": "1"}, "E_SET_UNKNOWN"), ({"/run/trace/events/x": "1"}, "E_SET_UNKNOWN"),
    ({"/graph/blocks/00": "1"}, "E_SET_UNKNOWN"), ({"n": "1 +"}, "E_EXPR_SYNTAX"),
    ({"n": '"text"'}, "E_VALUE_TYPE"), ({"n": "NaN"}, "E_EXPR_NAME"), ({"/colour": "red"}, "E_KEY_UNKNOWN"),
    ({"n": "9"}, "E_PARAMETER_RANGE"), ({"/title": "\udcff"}, "E_JSON_ENCODING"), ({"\udcff": "1"}, "E_JSON_ENCODING"),
])
def test_set_that_is_wrong(sets: dict, code: str) -> None:
    _, faults = load_project(json.dumps(chain(parameters={"n": {"value": 1, "maximum": 8}})), sets=sets)
    assert [d.code for d in faults] == [code]


def test_a_newer_version_is_said_to_be_one() -> None:
    newer = load_project('{"schema_version": 99, "anything": []}')[1]
    assert [(d.code, d.pointer) for d in newer] == [("E_SCHEMA_VERSION", "/schema_version")]
    assert "newer" in newer[0].message


def test_deployments_are_filled_in() -> None:
    entry = {"name": "d-1", "scheduler": "some", "workers": {"expr": "n"}, "affinity": {"w0": [0, 2]},
             "chunk_items": {"expr": "4k"},
             "buffers": {"source.out->sink.in": {"items": {"expr": "2k"}}}, "memory": {"lock": True, "numa": 1},
             "build": {"compiler": "clang++-15", "march": "x86-64-v3", "optimisation": "O2",
                       "extra_flags": ["-funroll-loops"]},
             "policy": "fifo", "priority": 50, "require": ["affinity"],
             "placement": {"strategy": "explicit", "map": {"*": "w0"}}}
    deployment = load(chain(deployments=[entry], parameters={"n": {"value": 2}})).deployment("d-1")
    assert deployment.workers == 2 and deployment.chunk_items == 4000
    assert deployment.buffers == {"source.out->sink.in": 2000}
    assert deployment.affinity == {"w0": (0, 2)} and deployment.memory.lock and deployment.memory.numa == "1"
    assert deployment.build == Build("clang++-15", "x86-64-v3", "O2", ("-funroll-loops",))
    assert deployment.placement.map == {"*": "w0"} and deployment.pointer == "/deployments/0"


def test_no_deployment_is_single_thread() -> None:
    project = load(chain())
    assert project.deployment().scheduler == "single_thread"
    with pytest.raises(WeirError, match="no deployment `other`"):
        project.deployment("other")


@pytest.mark.parametrize("build_entry", [
    {"compiler": "/bin/sh"}, {"compiler": "g++ -x"}, {"compiler": "g++\n"}, {"compiler": "clang"},
    {"march": "native -o /x"}, {"march": "-x"}, *({"extra_flags": [f]} for f in (
        "-ffast-math", "-o/etc/x", "@file", "-Wl,-rpath,/x", "-include/etc/passwd", "-I/x", "-B/x", "-specs=x",
        "-fplugin=x", "-O3 -x", "", "-march=native", "-DNDEBUG", "$(id)", "-mtune=a;b", "-g\n")),
])
def test_build_that_is_refused(build_entry: dict) -> None:
    _, faults = load_project(json.dumps(chain(deployments=[{"name": "d", "scheduler": "one", "build": build_entry}])))
    assert [d.code for d in faults] == ["E_BUILD_REFUSED"]
    assert faults[0].pointer.startswith(f"/deployments/0/build/{next(iter(build_entry))}")


@pytest.mark.parametrize("level", ["Ofast", "-O2"])
def test_an_optimisation_is_one_that_keeps_what_numbers_mean(level: str) -> None:
    deployed = chain(deployments=[{"name": "d", "scheduler": "one", "build": {"optimisation": level}}])
    _, [fault] = load_project(json.dumps(deployed))
    assert (fault.code, fault.pointer) == ("E_VALUE_CHOICE", "/deployments/0/build/optimisation")


def test_own_keys_and_ui_are_kept_and_ignored() -> None:
    project = chain(block("w", "wire", x_note={"any": [1]}), x_more=1)
    project |= {"ui": {"positions": {"w": [1, 2]}, "whatever": None}, "x_tool": "mine"}
    loaded = load(project)
    assert loaded.document["x_tool"] == "mine" and loaded.document["ui"]["whatever"] is None


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert [d.code for d in load_project(tmp_path / "none")[1]] == ["E_FILE_MISSING"]
    assert [d.code for d in load_project(tmp_path)[1]] == ["E_FILE_IO"]


EXAMPLES = sorted((CODEGEN.parent / "examples").glob("*.weir.json"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda f: f.stem)
def test_examples_are_valid_and_canonical(file: Path) -> None:
    assert check(file).diagnostics == ()
    assert jsontext.write(jsontext.read(file.read_bytes())[0]) == file.read_text()


SEEDS = [value for f in [*EXAMPLES, *sorted(BAD.glob("*.json"))]
         if (value := jsontext.read(f.read_bytes())[0]) is not None]
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(
    [[], {}, {"expr": "stages"}, {"expr": "1 / 0"}, {"expr": "9" * 30}, "source", "out", "flow",
     ["source", "out", "sink", "in"], -1, 2**62, {"id": "source", "type": "head"},
     {"id": "extra", "type": "copy", "repeat": 3}, "disabled", "bypassed",
     {"expr": "10 ** 9"}]).map(copy.deepcopy)  # the next value may be put into this one


def containers(value: object) -> list:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(c for v in inner for c in containers(v))] if isinstance(value, (dict, list)) else []


@given(st.sampled_from(SEEDS), st.data())
def test_mutated_projects_never_raise(library: Catalog, seed: object, data: st.DataObject) -> None:
    project = json.loads(json.dumps(seed))
    for _ in range(data.draw(st.integers(1, 6))):
        found = [c for c in containers(project) if c]
        if not found:
            break
        place = data.draw(st.sampled_from(found))
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        action = data.draw(st.integers(0, 3))
        if action == 0:
            del place[key]
        elif action == 1 and isinstance(place, list):
            place.append(place[key])
        else:
            place[key] = data.draw(VALUES)
    text = json.dumps(project)
    checked = check(text, catalog=library, directory=BAD)
    _, faults = jsontext.read(text)
    for d in checked.diagnostics:
        assert d.code in CODES
        if not faults:
            resolve(project, d.pointer)
    if checked.graph:
        names = [i.name for i in checked.graph.instances]
        assert len(names) == len(set(names))
