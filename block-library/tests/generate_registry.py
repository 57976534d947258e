"""Write C++ source files that register the blocks with the driver, from their descriptors alone.

Print the libraries that the blocks use, as a CMake list.
"""

from __future__ import annotations

import argparse
import json
import zlib
from pathlib import Path

CPP = {"u8": "std::uint8_t", "i8": "std::int8_t", "i16": "std::int16_t", "i32": "std::int32_t",
       "f32": "float", "f64": "double", "c64": "weir::c64"}
#: Number of files. Blocks in one file share headers and port drivers, and several files compile in parallel.
BATCHES = 4


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def options(block: str, parameter: dict) -> str:
    enum = f"{block}::{camel(parameter['id'])}"
    pairs = ", ".join(f'{{"{o}", {enum}::k{camel(o)}}}' for o in parameter["options"])
    return f", weir::test::Values::Options<{enum}>{{{pairs}}}"


def registration(descriptor: dict, block: str, name: str) -> str:
    fill, tell = [], []
    for parameter in descriptor.get("parameters", []):
        field, extra = parameter["id"], options(block, parameter) if parameter["type"] == "enum" else ""
        fill.append(f'            request.parameters.get("{field}", block.params.{field}{extra});')
        tell.append(f'            values.set("{field}", params.{field}{extra});')
    return "\n".join([
        f'    weir::test::registry()["{name}"] = {{',
        "        [](const weir::test::Request& request) {", f"            {block} block;", *fill,
        "            return weir::test::run_block(block, request);", "        },",
        "        [] {", "            weir::test::Values values;",
        f"            [[maybe_unused]] const {block}::Params params;", *tell,
        "            return values;", "        }};"])


def subjects(folder: Path) -> str:
    descriptor = json.loads((folder / "block.json").read_text())
    block = f"weir::blocks::{camel(folder.name)}"
    chosen = [(f"{block}<{CPP[t]}>", f"{folder.name}/{t}") for t in descriptor["item_types"]] \
        if "item_types" in descriptor else [(block, f"{folder.name}/")]
    return "\n".join(registration(descriptor, *subject) for subject in chosen)


def source(folders: list[Path]) -> str:
    return "\n".join([
        *(f'#include "{folder / folder.name}.hpp"' for folder in folders), '#include "registry.hpp"', "",
        "[[maybe_unused]] static const bool registered = [] {", *map(subjects, folders), "    return true;", "}();",
        ""])


def calls_kernels(descriptor: Path) -> bool:
    return bool(json.loads(descriptor.read_text()).get("kernels"))


def batches(descriptors: list[Path]) -> dict[str, list[Path]]:
    """Return file name -> folders of blocks. The file follows from the block's name, so a new block moves no other."""
    found: dict[str, list[Path]] = {}
    for folder in sorted(path.resolve().parent for path in descriptors):
        found.setdefault(f"blocks_{zlib.crc32(folder.name.encode()) % BATCHES}.cpp", []).append(folder)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--with-kernels", action="store_true", help="only the blocks that call kernels of VOLK")
    parser.add_argument("descriptors", type=Path, nargs="+")
    arguments = parser.parse_args()
    if arguments.with_kernels:
        arguments.descriptors = list(filter(calls_kernels, arguments.descriptors))
    arguments.output.mkdir(parents=True, exist_ok=True)
    wanted = {arguments.output / name: source(folders) for name, folders in batches(arguments.descriptors).items()}
    for stale in set(arguments.output.glob("*.cpp")) - set(wanted):
        stale.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    print(";".join(sorted({library for path in arguments.descriptors
                           for library in json.loads(path.read_text()).get("uses", [])})))


if __name__ == "__main__":
    main()
