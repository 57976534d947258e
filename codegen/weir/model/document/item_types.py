"""Item types, and parameters with values of these types. Values of a project are checked against them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ItemType:
    """A type of items: its id, its C++ type and its size."""

    id: str
    cpp: str
    size: int  # bytes
    minimum: int | float
    maximum: int | float

    @property
    def integer(self) -> bool:
        """Return whether the values are integers."""
        return self.id not in ("f32", "f64", "c64")


F32_MAX, F64_MAX = 3.4028234663852886e38, 1.7976931348623157e308

class _ItemTypes(dict[str, ItemType]):
    """Item types of Weir's blocks. A lookup also knows the items of GNU Radio's blocks, which Weir does not compute:
    vectors such as `c64[1024]`, and types such as `sc16`.
    """

    def __missing__(self, name: str) -> ItemType:
        base, bracket, length = name.partition("[")
        size = self[base].size if bracket else OTHER_SIZES[base]
        return ItemType(name, "", size * int(length[:-1]) if bracket else size, 0, 0)


#: Bytes of item types that only blocks of GNU Radio have; `any` is the type of a port that takes every item.
OTHER_SIZES = {"any": 1, "bit": 1, "i64": 8, "c128": 16, "sc8": 2, "sc16": 4, "sc32": 8, "sc64": 16}
ITEM_TYPES: dict[str, ItemType] = _ItemTypes({t.id: t for t in (
    ItemType("u8", "std::uint8_t", 1, 0, 255),
    ItemType("i8", "std::int8_t", 1, -128, 127),
    ItemType("i16", "std::int16_t", 2, -32768, 32767),
    ItemType("i32", "std::int32_t", 4, -(2**31), 2**31 - 1),
    ItemType("f32", "float", 4, -F32_MAX, F32_MAX),
    ItemType("f64", "double", 8, -F64_MAX, F64_MAX),
    ItemType("c64", "std::complex<float>", 8, -F32_MAX, F32_MAX),
)})


@dataclass(frozen=True)
class Parameter:
    """One parameter of a block or of a scheduler, as its descriptor states it."""

    id: str
    type: str
    title: str = ""
    default: object = None
    default_text: str = ""  # shown in place of the default, to say what it means
    required: bool = False
    minimum: int | float | None = None
    maximum: int | float | None = None
    unit: str = ""
    structural: bool = False
    documentation: str = ""
    options: tuple[str, ...] = ()
    minimum_length: int = 0  # of a list
    below: str = ""  # of an i64: the parameter that is its upper limit, itself excluded
    sampled_at: str = ""  # of a frequency: the parameter with the sample rate of its signal
    within_file: str = ""  # of an i64: the path to the file whose items it counts
    access: str = ""  # of a path: read or write
    beside: tuple[str, ...] = ()  # of a path: suffixes of files with the same stem that are opened, too
