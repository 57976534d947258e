"""What there is to draw with: block, scheduler and target descriptors, found in their folders and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class ItemType:
    id: str
    cpp: str
    size: int  # bytes
    minimum: int | float
    maximum: int | float

    @property
    def integer(self) -> bool:
        return self.id not in ("f32", "f64", "c64")


F32_MAX, F64_MAX = 3.4028234663852886e38, 1.7976931348623157e308

ITEM_TYPES: dict[str, ItemType] = {t.id: t for t in (
    ItemType("u8", "std::uint8_t", 1, 0, 255),
    ItemType("i8", "std::int8_t", 1, -128, 127),
    ItemType("i16", "std::int16_t", 2, -32768, 32767),
    ItemType("i32", "std::int32_t", 4, -(2**31), 2**31 - 1),
    ItemType("f32", "float", 4, -F32_MAX, F32_MAX),
    ItemType("f64", "double", 8, -F64_MAX, F64_MAX),
    ItemType("c64", "std::complex<float>", 8, -F32_MAX, F32_MAX),
)}


@dataclass(frozen=True)
class Port:
    """`type`: "T" (the block's item type) or an item type. `rate`: items a firing, or {"expr": …} over structural parameters."""

    id: str
    type: str
    rate: int | Mapping[str, str] = 1

    def item_type(self, chosen: str | None) -> str | None:
        return chosen if self.type == "T" else self.type


@dataclass(frozen=True)
class Parameter:
    id: str
    type: str
    title: str = ""
    default: object = None
    required: bool = False
    minimum: int | float | None = None
    maximum: int | float | None = None
    unit: str = ""
    structural: bool = False
    documentation: str = ""
    options: tuple[str, ...] = ()
    access: str = ""  # of a path: read or write


@dataclass(frozen=True)
class BlockType:
    """One `block.json`. `item_types` is empty for a block that is no template."""

    id: str
    family: str
    title: str
    documentation: str
    item_types: tuple[str, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    parameters: tuple[Parameter, ...]
    behaviour: Mapping[str, object]
    accuracy: Mapping[str, object]
    uses: tuple[str, ...]
    folder: Path
    descriptor: Mapping[str, object] = field(repr=False)

    @property
    def is_source(self) -> bool:
        return not self.inputs

    @property
    def is_sink(self) -> bool:
        return not self.outputs

    @property
    def header(self) -> Path:
        return self.folder / f"{self.id}.hpp"

    def input(self, port: str) -> Port | None:
        return next((p for p in self.inputs if p.id == port), None)

    def output(self, port: str) -> Port | None:
        return next((p for p in self.outputs if p.id == port), None)

    def parameter(self, name: str) -> Parameter | None:
        return next((p for p in self.parameters if p.id == name), None)

    def meets(self, requirement: str) -> bool:
        """Whether a scheduler with this entry in `requires` can run the block.

        Only sources are asked for random access, and only blocks between others for being stateless or element-wise:
        a sink's state is merged, a source's follows from the index.
        """
        inner = not (self.is_source or self.is_sink)
        return {
            "static_rate": not self.behaviour.get("waits", False),
            "random_access": not self.is_source or bool(self.behaviour.get("random_access", False)),
            "element_wise": not inner or bool(self.behaviour.get("element_wise", False)),
            "stateless": not inner or self.behaviour.get("state") == "stateless",
        }[requirement]


@dataclass(frozen=True)
class SchedulerType:
    """One `scheduler.json`. `workers`: one, per_block or chosen."""

    id: str
    title: str
    documentation: str
    workers: str
    placement: bool
    max_workers: int
    wait: tuple[str, ...]
    requires: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    folder: Path
    descriptor: Mapping[str, object] = field(repr=False)

    @property
    def header(self) -> Path:
        return self.folder / f"{self.id}.hpp"


@dataclass(frozen=True)
class Target:
    """One `target.json`: a folder of templates."""

    id: str
    title: str
    documentation: str
    folder: Path
    descriptor: Mapping[str, object] = field(repr=False)


@dataclass(frozen=True)
class Catalog:
    blocks: Mapping[str, BlockType]
    schedulers: Mapping[str, SchedulerType]
    targets: Mapping[str, Target]


def load_catalog(block_paths: Iterable[Path] = (), scheduler_paths: Iterable[Path] = (), root: Path = ROOT) -> Catalog:
    """The descriptors of Weir's own folders and of the folders given. WeirError (E_DESCRIPTOR…) when one is wrong.

    `block_paths` hold <family>/<id>/block.json or <id>/block.json, `scheduler_paths` <id>/scheduler.json.
    """
    raise NotImplementedError
