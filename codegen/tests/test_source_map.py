"""The source map: each line that a block has a part in is found again, and no other."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest
from planning import EXAMPLES, checked, plan

from weir.document import shape
from weir.generation import source_map
from weir.generation.emit import generate
from weir.generation.source_map import Marks, blocks_at

CASES = [(example, deployment.name) for example in sorted(EXAMPLES.glob("**/*.weir.json"))
         for deployment in checked(example).project.deployments]
IDS = [f"{example.name.partition('.')[0]}/{deployment}" for example, deployment in CASES]


def generated(case: tuple) -> tuple[dict[str, bytes], dict]:
    result = checked(case[0])
    files = generate(plan(case[0], "two_core", case[1]).plan, result.project, result.catalog)
    return files, json.loads(files[source_map.FILE])


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_regions_are_where_the_text_is(case: tuple) -> None:
    files, document = generated(case)
    jsonschema.Draft202012Validator(shape.schema("source_map")).validate(document)
    plan_blocks = json.loads(files["plan.json"])["blocks"]
    seen = set()
    for region in document["regions"]:
        lines = files[region["file"]].decode().splitlines()
        assert region["first_line"] <= region["last_line"] <= len(lines)
        text = "\n".join(lines[region["first_line"] - 1:region["last_line"]])
        if region["kind"] == "block":
            seen.add(region["name"])
            assert text.startswith(f"    // {region['name']}: ") and text.endswith(")};")
            assert text.count("weir::Node<") == 1 and f'.name = "{region["name"]}"' in text
        elif region["kind"] == "stream":
            assert text.startswith(f"    // {region['name']} -> ") and f'.name = "{region["name"]}"' in text
            assert text.count("weir::Stream<") == 1 and text.endswith("}};")
        elif region["kind"] == "parameter" and region["blocks"]:
            assert text.startswith(f'        table.add("{region["name"]}"') and text.endswith(");")
            assert text.count(".block().params.") == len(region["instances"])
        elif region["kind"] in ("worker", "job"):
            assert all(f'"{instance}"' in text for instance in region["instances"])
        elif region["kind"] == "header":
            assert region["first_line"] == 1 and region["last_line"] == len(lines)
    assert seen == {block["instance"] for block in plan_blocks}


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_no_line_that_names_a_member_is_left_out(case: tuple) -> None:
    files, document = generated(case)
    lines = files["src/flowgraph.hpp"].decode().splitlines()
    for number, line in enumerate(lines, 1):
        if re.search(r"weir::(Node|Stream)<.*\{|weir::ins\(|table\.add\(|#include \"blocks/", line):
            if "std::vector" not in line:
                assert blocks_at(document, "src/flowgraph.hpp", number), line
        if line.startswith(("#pragma", "struct", "inline", "///")):
            assert blocks_at(document, "src/flowgraph.hpp", number) == ()


def test_no_mark_is_left_in_a_file() -> None:
    for case in CASES:
        files, _ = generated(case)
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
