"""Parameters of a block or a scheduler as C++: initialisers by type, and entries of the parameter table."""

from __future__ import annotations

from typing import Any

from weir.engine.generation.cpp.names import upper_camel
from weir.engine.generation.cpp.text import cpp_double, cpp_float, cpp_integer, cpp_std_string, cpp_string
from weir.model.catalog import BlockType, SchedulerType
from weir.model.document.item_types import ITEM_TYPES, Parameter
from weir.model.planning.plan import Plan


def block_class(block: BlockType, item_type: str | None) -> str:
    """Return the block's C++ type, such as weir::blocks::Saxpy<float>."""
    template = f"<{ITEM_TYPES[item_type].cpp}>" if block.item_types and item_type else ""
    return f"weir::blocks::{upper_camel(block.id)}{template}"


def instantiated_class(block: BlockType, item_type: str | None, plan: Plan) -> str:
    """Return the C++ type that a program instantiates: the block, or its variant from the kernel library."""
    own = block_class(block, item_type)
    return f"weir::Linked<{own}>" if plan.links_kernels else own


def scheduler_class(scheduler: SchedulerType) -> str:
    """Return the scheduler's C++ type, such as weir::schedulers::WorkStealing."""
    return f"weir::schedulers::{upper_camel(scheduler.code_of)}"


def item(value: Any, item_type: str) -> str:
    """Return one item of a stream as C++. A c64 is a number or (re, im)."""
    if item_type == "c64":
        re, im = value if isinstance(value, (tuple, list)) else (value, 0)
        return f"{{{cpp_float(re)}, {cpp_float(im)}}}"
    if item_type == "f32":
        return cpp_float(value)
    return cpp_double(value) if item_type == "f64" else cpp_integer(int(value))


def parameter_value(parameter: Parameter, value: Any, owner: str, item_type: str | None) -> str:
    """Return the value in an initialiser `.name = value`. `owner` is the class that has the enums."""
    match parameter.type:
        case "item":
            return item(value, item_type or "f32")
        case "f32":
            return cpp_float(value)
        case "f64":
            return cpp_double(value)
        case "i64":
            return cpp_integer(int(value))
        case "bool":
            return "true" if value else "false"
        case "enum":
            return f"{owner}::{upper_camel(parameter.id)}::k{upper_camel(value)}"
        case "f32_list":
            return "{" + ", ".join(cpp_float(v) for v in value) + "}"
        case _:
            return cpp_std_string(value)


def parameter_limits(parameter: Parameter, item_type: str | None) -> str:
    """Return the third argument of ParamTable::add, "" if there is none."""
    if parameter.type == "enum":
        return "{" + ", ".join(cpp_string(option) for option in parameter.options) + "}"
    if parameter.type not in ("item", "f32", "f64", "i64") or parameter.type == "item" and item_type == "c64":
        return ""
    limits = {"minimum": parameter.minimum, "maximum": parameter.maximum}
    ends = [f".{end} = {cpp_double(value)}" for end, value in limits.items() if value is not None]
    return "{" + ", ".join(ends) + "}" if ends else ""
