"""Writes a C++ source file a block that registers it with the driver, from its descriptor alone."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

CPP = {"u8": "std::uint8_t", "i8": "std::int8_t", "i16": "std::int16_t", "i32": "std::int32_t",
       "f32": "float", "f64": "double", "c64": "weir::c64"}


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def options(block: str, parameter: dict) -> str:
    enum = f"{block}::{camel(parameter['id'])}"
    pairs = ", ".join(f'{{"{o}", {enum}::k{camel(o)}}}' for o in parameter["options"])
    return f"weir::test::Options<{enum}>{{{pairs}}}"


def registration(descriptor: dict, block: str, name: str) -> str:
    fill, tell = [], []
    for parameter in descriptor.get("parameters", []):
        field, extra = parameter["id"], f", {options(block, parameter)}" if parameter["type"] == "enum" else ""
        fill.append(f'            if (j.contains("{field}")) weir::test::assign(p.{field}, j["{field}"]{extra});')
        tell.append(f'            j["{field}"] = weir::test::describe(p.{field}{extra});')
    return "\n".join([
        f'    weir::test::add<{block}>("{name}",',
        f"        []([[maybe_unused]] {block}::Params& p, [[maybe_unused]] const Json& j) {{", *fill, "        },",
        f"        []([[maybe_unused]] const {block}::Params& p) {{", "            Json j = Json::object();", *tell,
        "            return j;", "        });"])


def source(folder: Path) -> str:
    descriptor = json.loads((folder / "block.json").read_text())
    block = f"weir::blocks::{camel(folder.name)}"
    subjects = [(f"{block}<{CPP[t]}>", f"{folder.name}/{t}") for t in descriptor["item_types"]] \
        if "item_types" in descriptor else [(block, f"{folder.name}/")]
    return "\n".join([
        f'#include "{folder.parent.name}/{folder.name}/{folder.name}.hpp"', '#include "registry.hpp"', "",
        "using weir::test::Json;", "", "[[maybe_unused]] static const bool registered = [] {",
        *(registration(descriptor, *subject) for subject in subjects), "    return true;", "}();", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("descriptors", type=Path, nargs="+")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    wanted = {arguments.output / f"{path.parent.name}.cpp": source(path.parent) for path in arguments.descriptors}
    for stale in set(arguments.output.glob("*.cpp")) - set(wanted):
        stale.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()
