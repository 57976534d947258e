"""Scaffolds of `weir new`, which fills in the templates beside this file.

Each template of a kind becomes a file. NAME in its path becomes the requested name.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, trying
from weir.model import ownership
from weir.model.document import jsontext
from weir.model.document.item_types import ITEM_TYPES

HERE = Path(__file__).resolve().parent


def title_of(name: str) -> str:
    """Return the title of a name: my_block -> My block."""
    return name.replace("_", " ").replace("-", " ").strip().capitalize() or name


def class_of(name: str) -> str:
    """Return the class name in generated code: my_block -> MyBlock."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def block_facts(name: str, inputs: int, outputs: int, item_types: Sequence[str]) -> dict[str, object]:
    """Return the variables of the block templates. The block copies: output k is input k, or zeros without inputs."""
    ins, outs = _ports("in", inputs), _ports("out", outputs)
    several = len(item_types) > 1
    cpp_type = "T" if several else item_types[0] if item_types[0] == "c64" else ITEM_TYPES[item_types[0]].cpp
    copies = "y[n] = x[n]" if inputs == outputs == 1 else "; ".join(
        f"{out}[n] = {ins[k % inputs] + '[n]' if inputs else '0'}" for k, out in enumerate(outs))
    return {
        "name": name, "title": title_of(name), "class_name": class_of(name), "inputs": ins, "outputs": outs,
        "documentation": f"{copies or 'Consumes all items'}. Describe here what the block computes, and how it treats "
                         "edge cases.",
        "item_types": list(item_types), "port_type": "T" if several else item_types[0],
        "cpp_type": cpp_type, "signature": _signature(cpp_type, ins, outs),
        "vectors": [_vector(kind, count, ins, outs) for kind in item_types for count in (3, 0 if inputs else 1)],
    }


def _ports(word: str, count: int) -> list[str]:
    return [word] if count == 1 else [f"{word}{i}" for i in range(count)]


def _signature(cpp_type: str, inputs: list[str], outputs: list[str]) -> str:
    """Return the parameters of `work`, in lines of at most 120 columns."""
    ports = [*(f"In<{cpp_type}>& {port}" for port in inputs), *(f"Out<{cpp_type}>& {port}" for port in outputs)]
    line = ", ".join(ports)
    return line if len(line) < 80 else (",\n" + " " * 20).join(ports)


def _vector(item_type: str, count: int, inputs: list[str], outputs: list[str]) -> dict[str, object]:
    def stream(first: int) -> list[object]:
        return [[v + first, -v] if item_type == "c64" else v + first for v in range(1, count + 1)]

    given = {port: stream(10 * i) for i, port in enumerate(inputs)}
    zeros: list[object] = [[0, 0] if item_type == "c64" else 0] * count
    return {"name": f"{('none', 'one', 'two', 'three')[count]}_{item_type}", "item_type": item_type, "inputs": given,
            "outputs": {port: given[inputs[k % len(inputs)]] if inputs else zeros for k, port in enumerate(outputs)}}


def rendered(kind: str, facts: Mapping[str, object]) -> dict[str, str]:
    """Render the templates: path in the folder -> text. JSON files are in canonical form."""
    import jinja2

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE / kind), undefined=jinja2.StrictUndefined,
                                     trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False)
    environment.filters["bool"] = lambda value: "true" if value else "false"
    environment.globals["least"] = _least
    files = {}
    for template in sorted((HERE / kind).rglob("*.j2")):
        inside = template.relative_to(HERE / kind).as_posix()
        name = inside.removesuffix(".j2").replace("NAME", str(facts["name"]))
        text = environment.get_template(inside).render(facts)
        files[name] = jsontext.write(jsontext.read(text)[0]) if name.endswith(".json") else text
    return files


def _least(ports: Sequence[str]) -> str:
    sizes = [f"{port}.size()" for port in ports]
    if len(sizes) < 3:
        return sizes[0] if len(sizes) == 1 else f"std::min({', '.join(sizes)})"
    return ("\n" + " " * 16).join(textwrap.wrap("std::min({" + ", ".join(sizes) + "})", 84))


def write_folder(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Create a folder with these files, atomically. Raises WeirError if it exists or cannot be written."""
    if os.path.lexists(folder):
        raise WeirError(diagnostic("E_OUTPUT_EXISTS", "", f"{folder} already exists",
                                   "choose another name, or remove it"))
    with trying(f"write {folder}"):
        ownership.create(folder, {name: text.encode() for name, text in files.items()})
    return [folder / name for name in files]
