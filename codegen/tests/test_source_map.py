"""Test the source map: it finds each line that a block has a part in, and no other."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest
from golden_kinds import KINDS
from planning import chain, deployed, generated, plan
from weir.engine.generation import source_map
from weir.engine.generation.source_map import Marks, blocks_at
from weir.model.document import shape

CASES = [(document, name) for document, name in KINDS.values()]
HEADER = "src/flowgraph.hpp"
#: Templates that host a block.
HOST = "(?:Node|Series|Fired|InLoop|InTurn|by_hand::Stage)"


def mapped(case: tuple) -> tuple[dict[str, bytes], dict]:
    files = generated(case[0], deployment=case[1])
    return files, json.loads(files[source_map.FILE])


def tasks_in(text: str) -> list[int]:
    """Return the value of `.tasks` of a worker or a job."""
    first, last = re.search(r"weir::task_range<(\d+), (\d+)>", text).groups() if "task_range" in text else (0, -1)
    listed = re.search(r"weir::tasks<([\d,\s]*)>", text)
    return [*range(int(first), int(last) + 1), *(int(n) for n in re.findall(r"\d+", listed[1] if listed else ""))]


@pytest.mark.parametrize("case", CASES, ids=KINDS)
def test_regions_are_where_the_text_is(case: tuple) -> None:
    files, document = mapped(case)
    jsonschema.Draft202012Validator(shape.schema("source_map")).validate(document)
    instances = [block["instance"] for block in json.loads(files["plan.json"])["blocks"]]
    named, made, placed = set(), set(), set()
    for region in document["regions"]:
        lines = files[region["file"]].decode().splitlines()
        assert region["first_line"] <= region["last_line"] <= len(lines)
        text = "\n".join(lines[region["first_line"] - 1:region["last_line"]])
        if region["kind"] in ("worker", "job"):
            placed.update(region["instances"])
        match region["kind"]:
            case "block":
                made.update(region["instances"])
                assert re.match(rf"    // .*\n    weir::{HOST}<", text) and text.endswith("};")
                assert len(re.findall(rf"weir::{HOST}<", text)) == 1
                if len(region["instances"]) == 1:
                    named.add(region["name"])
                    assert f'.name = "{region["name"]}"' in text
            case "row":
                named.update(region["instances"])
                assert all(f'"{instance}"' in text for instance in region["instances"])
                assert text.lstrip().startswith("{") and (text.endswith("},") or text.endswith(", {"))
            case "stream":
                assert text.startswith("    // ") and text.endswith("}};")
                assert len(re.findall(r"^    weir::(?:Stream<|Place<|Within |by_hand::Place )", text,
                                      re.MULTILINE)) == 1
                assert len(region["instances"]) > 1 or f'.name = "{region["name"]}"' in text
            case "parameter" if region["blocks"]:
                assert re.match(rf'        table\.add\(\s*"{re.escape(region["name"])}"', text) and text.endswith(");")
                assert text.count(".block().params.") == 1
            case "call":
                assert region["name"] == region["instances"][-1]
                one = r"\w+\.fire\(at, \d+\)" if len(region["instances"]) == 1 else r"weir::fire_together\(at, [^)]+\)"
                assert re.fullmatch(rf" +if \(!{one}\) return( false)?;", text)
            case "elements":
                assert text.startswith("/// ") and text.endswith("};") and ".element(" in text
            case "loop":
                assert " pass_" in lines[region["first_line"] - 1] and text.endswith("}")
            case "worker" if "(at, " in text:
                inside = [name for it in document["regions"] if it["kind"] == "call"
                          and region["first_line"] <= it["first_line"] <= region["last_line"]
                          for name in it["instances"]]
                assert sorted(inside) == sorted(region["instances"])
            case "worker" if " f(" in text:
                called = re.findall(r"\w+", " ".join(re.findall(r" f\((.*?)\);", text, re.DOTALL)))
                assert sorted(called) == sorted(re.sub(r"\W+", "_", name).strip("_") for name in region["instances"])
            case "worker" | "job":
                assert [instances[task] for task in tasks_in(text)] == region["instances"]
            case "header":
                assert region["first_line"] == 1 and region["last_line"] == len(lines)
    assert named == made == placed == set(instances)


@pytest.mark.parametrize("case", CASES, ids=KINDS)
def test_no_line_that_names_a_member_is_left_out(case: tuple) -> None:
    files, document = mapped(case)
    of_elements = {number for it in document["regions"] if it["kind"] == "elements"
                   for number in range(it["first_line"], it["last_line"] + 1)}
    assert bool(of_elements) == (b"weir::each_item" in files[HEADER])
    for number, line in enumerate(files[HEADER].decode().splitlines(), 1):
        if re.search(r"weir::(Node|Stream|Series|Fired|Place)<.*\{|\.fire\(|weir::ins\(|table\.add\(|#include "
                     r"\"blocks/|^ *\{\"",
                     line):
            assert "(const " in line or " return " in line or blocks_at(document, HEADER, number), line
        if line.startswith(("#pragma", "struct", "inline", "///")) and number not in of_elements:
            assert blocks_at(document, HEADER, number) == ()


def test_a_copy_has_its_own_line_and_its_block_the_code() -> None:
    files, document = mapped(KINDS["repeated"])
    lines = files[HEADER].decode().splitlines()
    of_copy = [it for it in document["regions"] if it["kind"] == "row" and it["instances"] == ["more[9]@p1"]]
    (row,) = of_copy
    assert row["first_line"] == row["last_line"] and '"more[9]@p1"' in lines[row["first_line"] - 1]
    assert blocks_at(document, HEADER, row["first_line"]) == ("more",)
    (code,) = [it for it in document["regions"] if it["kind"] == "block" and "AddConst" in lines[it["first_line"]]]
    assert code["blocks"] == ["more"] and len(code["instances"]) == 24


def test_a_call_and_its_loop_have_their_lines_and_the_innermost_answers() -> None:
    files, document = mapped(KINDS["scheduled"])
    lines = files[HEADER].decode().splitlines()
    for region in (it for it in document["regions"] if it["kind"] == "call"):
        (instance,) = region["instances"]
        fires = lines[region["first_line"] - 1]
        assert region["first_line"] == region["last_line"] and blocks_at(document, HEADER, region["first_line"]) == (
            instance.partition("[")[0],)
        # The block's own region declares the member that is fired.
        (declared,) = [it for it in document["regions"] if it["kind"] == "block" and it["name"] == instance]
        member = re.search(r"!(\w+)\.fire", fires)[1]
        assert f"> {member}{{" in "\n".join(lines[declared["first_line"] - 1:declared["last_line"]])
    outer, inner = [it for it in document["regions"] if it["kind"] == "loop"]
    assert (outer["name"], outer["instances"]) == ("64 times", ["source", "gain", "thin", "thinner"])
    assert (inner["name"], inner["instances"]) == ("4 times", ["source", "gain"])
    assert outer["first_line"] + 1 == inner["first_line"] and inner["last_line"] < outer["last_line"]
    assert blocks_at(document, HEADER, inner["last_line"]) == ("source", "gain")


def test_calls_in_functions_of_a_long_period_have_their_lines() -> None:
    document = deployed(chain(70, kind="add_const"), scheduler="static", workers=1, chunk_items=64)
    files, found = mapped((document, "d"))
    lines = files[HEADER].decode().splitlines()
    calls = [it for it in found["regions"] if it["kind"] == "call"]
    assert [it["name"] for it in calls] == ["source", "limit", *(f"stage[{n}]" for n in range(70)), "sink"]
    assert all(".fire(at, " in lines[it["first_line"] - 1] for it in calls)
    assert any("return false" in lines[it["first_line"] - 1] for it in calls)


def test_no_mark_is_left_in_a_file() -> None:
    for case in CASES:
        files, _ = mapped(case)
        assert not any(re.search(b"[\x02\x03]", files[name]) for name in files if not name.startswith("weir/"))


def test_a_region_that_does_not_end_is_a_fault_of_the_template() -> None:
    marks = Marks(plan(*CASES[0][:1], "two_core", CASES[0][1]).plan)
    with pytest.raises(ValueError, match="does not end"):
        marks.taken_out("x.cpp", marks.begin("block", "a") + "int x;\n")


def test_the_innermost_region_answers() -> None:
    def region(first: int, last: int, block: str) -> dict:
        return {"file": "a", "first_line": first, "last_line": last, "blocks": [block]}

    document = {"regions": [region(1, 9, "outer"), region(3, 4, "inner")]}
    assert [blocks_at(document, "a", line) for line in (2, 3, 5, 10)] == [("outer",), ("inner",), ("outer",), ()]
    assert blocks_at(document, "b", 3) == ()
