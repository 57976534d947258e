"""Join generated programs into one binary.

Each program keeps its code unchanged, in its own namespace. The first argument of the binary selects the program.
Shared headers are compiled once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath

_INCLUDE = re.compile(r"^#include .*\n", re.MULTILINE)
_MAIN, _RUN = "int main(int argc, char** argv)", "int run(int argc, char** argv)"
_OWN = '#include "flowgraph.hpp"\n'


def unit(programs: Mapping[str, Mapping[str, bytes]]) -> dict[str, str]:
    """Return the C++ files of a translation unit, `unit.cpp`, for several programs (name -> generated files)."""
    includes: set[str] = set()
    files, bodies = {}, []
    for name, generated in programs.items():
        flowgraph, main = (generated[f"src/{file}"].decode() for file in ("flowgraph.hpp", "main.cpp"))
        includes.update(_INCLUDE.findall(flowgraph), _INCLUDE.findall(main))
        files[f"{name}.hpp"] = flowgraph
        bodies.append(f'namespace {_space(name)} {{\n#include "{name}.hpp"\n'
                      f'{_INCLUDE.sub("", main).replace(_MAIN, _RUN)}}}\n')
    return {**files, "unit.cpp": "".join(sorted(includes - {_OWN})) + "\n" + "\n".join(bodies)}


def main_of(names: Iterable[str], before: str = "") -> str:
    """Return a `main` that runs the program named by its first argument with the remaining arguments.

    `before` is code that runs first.
    """
    names = list(names)
    return "\n".join(["#include <cstdlib>", "#include <cstring>", "", '#include "weir/yield_point.hpp"', "",
                      *(f"namespace {_space(name)} {{ {_RUN}; }}" for name in names), "",
                      "int main(int argc, char** argv) {", "    if (argc < 2) return 2;", before,
                      *(f'    if (std::strcmp(argv[1], "{name}") == 0) return {_space(name)}::run(argc - 1, argv + 1);'
                        for name in names), "    return 2;", "}", ""])


def shared(generated: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the generated headers of blocks and of the scheduler, which are the same in all programs that use them."""
    return {name: data for name, data in generated.items()
            if name.startswith(("weir/blocks/", "weir/schedulers/")) and PurePath(name).suffix == ".hpp"}


def _space(name: str) -> str:
    return "program_" + name.replace("-", "_")

