"""Test that build errors name their location and their block, with the messages of real compilers and linkers."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from planning import chain, checked
from weir import cli
from weir.engine.generation.cpp.errors import faults
from weir.engine.generation.explain import Explainer
from weir.engine.targets.interface import Fault
from weir.model.document import shape

HEADER = """#pragma once
#include <algorithm>
#include <cstddef>
{include}
#include "weir/block.hpp"
namespace weir::blocks {{
{declaration}
template <class T> struct Broken {{
    struct Params {{}};
    Params params;
    WorkResult work(In<T>& in, Out<T>& out) noexcept {{
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        {statement}
        std::copy_n(in.data(), n, out.data());
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }}
}};
}}
"""
DESCRIPTOR = {
    "format": 1, "id": "broken", "title": "Broken", "documentation": "Copies.", "item_types": ["f32", "i32"],
    "inputs": [{"id": "in", "type": "T", "rate": 1}], "outputs": [{"id": "out", "type": "T", "rate": 1}],
    "parameters": [], "behaviour": {"state": "stateless", "element_wise": True, "in_place": False,
                                    "random_access": False, "waits": False, "blocking_io": False},
    "vectors": []}


def document(*copies: str) -> dict:
    """Return parallel chains with a block of type `broken`, one for each name with an item type, as in `name:i32`."""
    blocks, wires = [], []
    for copy in copies:
        name, _, item_type = copy.partition(":")
        blocks += [{"id": f"from_{name}", "type": "counter_source", "parameters": {"item_type": item_type or "f32"}},
                   {"id": f"limit_{name}", "type": "head"}, {"id": name, "type": "broken"},
                   {"id": f"to_{name}", "type": "digest_sink"}]
        wires += [[f"from_{name}", "out", f"limit_{name}", "in"], [f"limit_{name}", "out", name, "in"],
                  [name, "out", f"to_{name}", "in"]]
    return {"schema_version": 1, "name": "p", "graph": {"blocks": blocks, "connections": wires},
            "deployments": [{"name": "one", "scheduler": "single_thread", "build": {"optimisation": "O0"}}],
            "run": {"items": 1000000}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return one generated project for all tests, so its runtime is built once."""
    return tmp_path_factory.mktemp("broken")


def answer(folder: Path, capsys: pytest.CaptureFixture, *copies: str, include: str = "", declaration: str = "",
           statement: str = "", descriptor: dict | None = None) -> list[dict]:
    header = folder / "blocks" / "broken" / "broken.hpp"
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(HEADER.format(include=include, declaration=declaration, statement=statement))
    (header.parent / "block.json").write_text(json.dumps({**DESCRIPTOR, **(descriptor or {})}))
    project = folder / "p.weir.json"
    project.write_text(json.dumps(document(*copies)))
    words = ["generate", "--build", str(project), "--block-path", str(folder / "blocks"), "-o", str(folder / "out"),
             "--json"]
    assert cli.main(words) == 3
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err and "error E_" in printed.err
    said = json.loads(printed.out)
    jsonschema.Draft202012Validator(shape.schema("diagnostics")).validate(said)
    assert said["ok"] is False
    return said["diagnostics"]


def test_an_error_in_a_header_leads_to_its_block(folder: Path, capsys: pytest.CaptureFixture) -> None:
    first = answer(folder, capsys, "good_name", statement="frobnicate(n);")[0]
    assert first["code"] == "E_BLOCK_BUILD" and first["pointer"] == "/graph/blocks/2"
    assert "`good_name`" in first["message"] and "frobnicate" in first["message"]
    assert first["place"] == {"file": "weir/blocks/broken.hpp", "line": 14, "column": first["place"]["column"],
                              "source": str(folder / "blocks/broken/broken.hpp"), "blocks": ["good_name"]}
    assert first["place"]["column"] > 0 and Path(first["hint"].removeprefix("the whole output is in ")).is_file()


def test_only_the_instance_whose_type_does_not_compile(folder: Path, capsys: pytest.CaptureFixture) -> None:
    """Check that only the `i32` block is blamed, which does not compile, not the `f32` block of the same type."""
    found = answer(folder, capsys, "fits", "other:i32", statement='static_assert(sizeof(T) == 4 && T(0.5) != 0, "no");')
    blamed = {block for it in found for block in it["place"]["blocks"]}
    assert "other" in blamed and all(it["place"]["file"].startswith("weir/") for it in found)


def test_a_header_that_is_missing(folder: Path, capsys: pytest.CaptureFixture) -> None:
    (only,) = answer(folder, capsys, "b", include="#include <not/there.h>")
    assert only["code"] == "E_BLOCK_BUILD" and only["place"]["line"] == 4
    assert "not/there.h" in only["message"] and only["place"]["blocks"] == ["b"]


def test_what_the_linker_misses_leads_to_the_block(folder: Path, capsys: pytest.CaptureFixture) -> None:
    found = answer(folder, capsys, "b", declaration="std::size_t nowhere_defined(std::size_t);",
                   statement="if (nowhere_defined(n) == 7) return WorkStatus::ok;")
    assert {it["code"] for it in found} == {"E_BLOCK_BUILD"}
    assert found[0]["pointer"] == "/graph/blocks/2" and "nowhere_defined" in found[0]["message"]


def test_a_library_that_is_not_installed(folder: Path, capsys: pytest.CaptureFixture) -> None:
    (only,) = answer(folder, capsys, "b", descriptor={"uses": ["no-such-library"]})
    assert only["code"] == "E_LIBRARY_MISSING" and only["place"]["blocks"] == ["b"]
    assert "no-such-library is not installed" in only["message"] and only["pointer"] == "/graph/blocks/2"


def test_no_compiler_on_the_path(folder: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    (only,) = answer(folder, capsys, "b")
    assert only["code"] == "E_COMPILER_MISSING" and "place" not in only and "apt install" in only["hint"]


# Words of compilers, as they print them

MAP = {"regions": [
    {"file": "src/flowgraph.hpp", "first_line": 20, "last_line": 25, "kind": "block", "name": "x", "blocks": ["x"],
     "instances": ["x"]},
    {"file": "src/flowgraph.hpp", "first_line": 30, "last_line": 35, "kind": "block", "name": "y", "blocks": ["y"],
     "instances": ["y"]},
    {"file": "weir/blocks/two_words.hpp", "first_line": 1, "last_line": 90, "kind": "header", "name": "two_words",
     "blocks": ["x", "y"], "instances": ["x", "y"]}]}


def explainer() -> Explainer:
    result = checked(chain(1))
    return Explainer(result.project, result.catalog, MAP)


def only(text: str) -> Fault:
    (fault,) = faults(text, Path("/g/build"))
    return fault


def test_clang_tells_the_instantiation_afterwards() -> None:
    fault = only("""In file included from /g/src/main.cpp:2:
In file included from /g/src/flowgraph.hpp:9:
/g/weir/blocks/two_words.hpp:14:9: error: use of undeclared identifier 'frob'
        frob(n);
        ^
/g/weir/include/weir/node.hpp:50:7: note: in instantiation of member function 'weir::Node<A>::step' requested here
/g/src/flowgraph.hpp:31:40: note: in instantiation of template class 'weir::Node<A>' requested here
1 error generated.
""")
    assert (fault.file, fault.line, fault.column) == ("weir/blocks/two_words.hpp", 14, 9)
    assert fault.message == "use of undeclared identifier 'frob'"
    assert explainer().blocks_of(fault) == ("y",)


def test_a_fault_in_the_runtime_is_that_of_the_block_that_asked_for_it() -> None:
    fault = only("""../weir/include/weir/node.hpp: In instantiation of 'class weir::Node<weir::blocks::TwoWords>':
../src/flowgraph.hpp:21:47:   required from here
../weir/include/weir/node.hpp:40:20: error: no type named 'Params' in 'struct weir::blocks::TwoWords'
""")
    assert fault.file == "weir/include/weir/node.hpp" and explainer().blocks_of(fault) == ("x",)


def test_a_header_of_the_system_is_that_of_the_block_that_includes_it() -> None:
    fault = only("""In file included from ../weir/blocks/two_words.hpp:7,
                 from ../src/flowgraph.hpp:9:
/usr/include/lib/odd.h:3:10: fatal error: lib/none.h: No such file or directory
""")
    assert fault.file == "/usr/include/lib/odd.h" and explainer().blocks_of(fault) == ("x", "y")


@pytest.mark.parametrize("text", [
    "/usr/bin/ld: main.o: in function `weir::blocks::TwoWords::work(weir::In<float>&)':\n"
    "main.cpp:(.text+0x1a): undefined reference to `missing(int)'\n",
    "ld.lld: error: undefined symbol: missing(int)\n>>> referenced by weir::blocks::TwoWords::work(weir::In<float>&)\n",
    "/usr/bin/ld: main.o: in function `main':\n"
    "main.cpp:(.text+0x1a): undefined reference to `weir::blocks::TwoWords::missing(int)'\n"])
def test_the_class_in_a_linkers_words_is_the_block(text: str) -> None:
    assert explainer().blocks_of(faults(text, Path("/g/build"))[0]) == ("x", "y")


def test_what_a_warning_calls_undefined_is_no_error() -> None:
    text = ("x.hpp:3:5: warning: operation on 'i' may be undefined [-Wsequence-point]\n"
            "<command-line>: warning: \"FOO\" undefined \n"
            "ld.lld: error: undefined hidden symbol: missing(int)\n")
    assert [(fault.message, fault.symbol) for fault in faults(text, Path("/p/build"))] == [
        ("undefined hidden symbol: missing(int)", "missing(int)")]


def test_what_belongs_to_no_block_is_reported_all_the_same() -> None:
    fault = only("c++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n")
    (said,) = explainer().diagnostics([fault], "g++", Path("/log"))
    assert said.code == "E_BUILD_FAILED" and "Killed signal" in said.message and said.place is None
    assert faults("all is well\n", Path("/g/build")) == []


def test_many_errors_are_counted_and_the_same_is_said_once() -> None:
    text = "".join(f"/g/src/main.cpp:{i}:1: error: e{i}\n" for i in range(30)) + "/g/src/main.cpp:1:1: error: e1\n"
    said = explainer().diagnostics(faults(text, Path("/g/build")), "g++", Path("/log"))
    assert len(said) == 21 and said[-1].message == "10 more errors"
