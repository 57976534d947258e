"""Reference of each block in numpy and float64, for the tests of blocks and of whole flowgraphs.

The reference of a block is in `<family>/<id>/reference.py`:

    reference(parameters, inputs, item_type, context) -> outputs
        parameters   id -> value, with the defaults filled in; an `item` of c64 is a complex
        inputs       port -> 1-d array of the port's dtype (DTYPES)
        outputs      port -> 1-d array of any length that a run could produce, float64 or complex128 for float ports.
                     A source returns `context.items` items, or fewer if it ends by itself.
                     A sink returns its result: "digest" -> int, or the id of a path parameter -> the bytes of the
                     file.
    magnitude(parameters, inputs, item_type, context)     optional: port -> values whose ulp `accuracy.ulp` counts;
                                                          default: |output|
    period(parameters)                                    optional: port -> period of a cyclic output, such as an
                                                          angle: rounding decides which end a half turn gives
    cases(item_type, context) -> iterable of parameters   optional: parameters to test besides the defaults; may write
                                                          input files of the block into context.project_dir
    limits(item_type) -> iterable of parameters           optional: the ends of the range for which the bound holds, and
                                                          the hardest cases within it
    edges(item_type)                                      optional: port -> items to mix into the random items, such as
                                                          NaN or values just out of range
"""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]

DTYPES: dict[str, np.dtype] = {name: np.dtype(kind) for name, kind in (
    ("u8", "u1"), ("i8", "i1"), ("i16", "<i2"), ("i32", "<i4"), ("f32", "<f4"), ("f64", "<f8"), ("c64", "<c8"))}

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Context:
    """Context of a reference: like `BlockContext`, plus `items`, the number of items that a source makes."""

    items: int = 0
    seed: int = 1
    run_items: int = 0
    project_dir: Path = Path()
    output_dir: Path = Path()


def splitmix64(x: np.ndarray) -> np.ndarray:
    """Return `splitmix64` of weir/digest.hpp for each element of a uint64 array."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def mix64(index: np.ndarray, bits: np.ndarray) -> np.ndarray:
    """Return random bits for item indices and bits or a seed: `mix64` of weir/digest.hpp, in the shape of `index`."""
    return splitmix64(bits ^ splitmix64(index))


def indices(n: int, first: int = 0) -> np.ndarray:
    """Return the indices of `n` items from `first` on: uint64 [n]."""
    return np.arange(first, first + n, dtype=np.uint64)


def instance_seed(run_seed: int, name: str) -> int:
    """Return the seed of the instance `name` in a run: `instance_seed` of weir/digest.hpp."""
    h = 0xCBF29CE484222325
    for byte in name.encode():
        h = (h ^ byte) * 0x100000001B3 % 2**64
    return int(mix64(np.array([run_seed % 2**64], np.uint64), np.array([h], np.uint64))[0])


def xoroshiro(seed: int) -> Iterator[int]:
    """Yield the numbers of weir/xoroshiro.hpp: xoroshiro128+ from 2^64 steps after splitmix64's state of the seed."""

    def step(a: int, b: int) -> tuple[int, int]:
        b ^= a
        return turned(a, 55) ^ b ^ b << 14 & word, turned(b, 36)

    def turned(x: int, by: int) -> int:
        return (x << by | x >> 64 - by) & word

    word, jump = 2**64 - 1, 0xD86B048B86AA9922 << 64 | 0xBEAC0467EBA5FACB
    state = (seed + 0x9E3779B97F4A7C15) & word, int(splitmix64(np.array([seed], np.uint64))[0])
    a = b = 0
    for bit in range(128):
        if jump >> bit & 1:
            a, b = a ^ state[0], b ^ state[1]
        state = step(*state)
    while True:
        yield (a + b) & word
        a, b = step(a, b)


def nearest(value: float) -> int:
    """Return the nearest integer, away from zero from halfway: `std::llround`."""
    size = math.floor(abs(value))
    return int(math.copysign(size + (abs(value) - size >= 0.5), value))


def phasor(word: int) -> complex:
    """Return exp(2 pi j word / 2^64): `phasor` of weir/oscillator.hpp."""
    quarter, rest = divmod((word + 2**61) % 2**64, 2**62)
    angle = float(rest - 2**61) * (math.pi * 2.0**-63)
    return complex(math.cos(angle), math.sin(angle)) * (1, 1j, -1, -1j)[quarter]


#: Units of 2^-64 cycles in a radian.
WORDS_PER_RAD = 2.0**63 / math.pi


def loop_gains(bandwidth: float) -> tuple[float, float]:
    """Return how a loop's error moves its phase and its frequency: `LoopGains` of weir/phase_lock.hpp."""
    damping = math.sqrt(2) / 2
    gain = 4 / (1 + 2 * damping * bandwidth + bandwidth * bandwidth)
    return gain * damping * bandwidth, gain * bandwidth * bandwidth


def phase_lock(parameters: dict, items: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield phase and frequency before each item, in units of 2^-64 cycles: `PhaseLock` of weir/phase_lock.hpp."""
    to_phase, to_frequency = loop_gains(parameters["bandwidth"])
    low, high = (nearest(parameters[name] * WORDS_PER_RAD) for name in ("min_frequency", "max_frequency"))
    phase = frequency = 0
    for angle in np.angle(wide(items)).astype(np.float32).tolist():
        yield phase, frequency
        word = nearest(angle * (WORDS_PER_RAD / 2)) * 2 if angle == angle else phase
        e = float((word - phase + 2**63) % 2**64 - 2**63)
        frequency += nearest(to_frequency * e)
        phase += frequency + nearest(to_phase * e)
        frequency = min(max(frequency, low), high)


def digest(items: np.ndarray, first: int = 0) -> int:
    """Return the digest of a stream whose items, in their port's dtype, begin at index `first`."""
    bits = np.ascontiguousarray(items).view(f"<u{items.dtype.itemsize}").astype(np.uint64)
    return int(np.sum(mix64(indices(len(items), first), bits), dtype=np.uint64))


def counter_pattern(n: int, item_type: str, first: int = 0) -> np.ndarray:
    """Return items `first` to `first + n` of weir/pattern.hpp."""
    i = np.arange(first, first + n, dtype=np.int64)
    if item_type == "c64":
        return i % 1021 + 1j * (i % 509)
    period, offset = {"u8": (251, 0), "i8": (251, 125), "i16": (65521, 32760), "i32": (65521, 32760)}.get(item_type,
                                                                                                          (1021, 0))
    return (i % period - offset).astype(DTYPES[item_type])


@dataclass(frozen=True)
class Block:
    """A block of the library with its reference."""

    id: str
    folder: Path
    descriptor: Mapping[str, Any] = field(repr=False)
    truth: ModuleType = field(repr=False)

    @property
    def item_types(self) -> tuple[str, ...]:
        """Return the item types to test: ("",) for a block without item types."""
        return tuple(self.descriptor.get("item_types", [""]))

    def ports(self, side: str, item_type: str) -> dict[str, np.dtype]:
        """Return the dtype of each port. `side`: inputs or outputs."""
        return {p["id"]: DTYPES[item_type if p["type"] == "T" else p["type"]] for p in self.descriptor.get(side, [])}

    def parameters(self, given: Mapping[str, Any], item_type: str) -> dict[str, Any]:
        """Return `given` with the defaults added, as `reference` takes them."""
        values = {p["id"]: p["default"] for p in self.descriptor.get("parameters", []) if "default" in p} | dict(given)
        for parameter in self.descriptor.get("parameters", []):
            if parameter["type"] == "item" and item_type == "c64":
                value = values[parameter["id"]]
                values[parameter["id"]] = complex(*value) if isinstance(value, (list, tuple)) else complex(value)
        return values

    def reference(self, given: Mapping[str, Any], inputs: Arrays, item_type: str, context: Context) -> dict[str,
                                                                                                               object]:
        """Return the true outputs by port."""
        return self.truth.reference(self.parameters(given, item_type), inputs, item_type, context)

    def magnitude(self, given: Mapping[str, Any], inputs: Arrays, item_type: str, context: Context) -> Arrays:
        """Return the values whose ulp the bound counts, by port; empty: the outputs."""
        if not hasattr(self.truth, "magnitude"):
            return {}
        return self.truth.magnitude(self.parameters(given, item_type), inputs, item_type, context)

    def period(self, given: Mapping[str, Any], item_type: str) -> Mapping[str, float]:
        """Return the period of cyclic outputs, such as phases, by port; empty if there are none."""
        return self.truth.period(self.parameters(given, item_type)) if hasattr(self.truth, "period") else {}

    def edges(self, item_type: str) -> Arrays:
        """Return the edge cases to mix into random items, by port."""
        return self.truth.edges(item_type) if hasattr(self.truth, "edges") else {}

    def cases(self, item_type: str, context: Context) -> Iterable[Mapping[str, object]]:
        """Return the parameters to test with."""
        return self.truth.cases(item_type, context) if hasattr(self.truth, "cases") else [{}]

    def limits(self, item_type: str) -> Iterable[Mapping[str, object]]:
        """Return the parameters at the ends of the range for which the bound holds."""
        return self.truth.limits(item_type) if hasattr(self.truth, "limits") else ()


def load_blocks(*roots: Path) -> dict[str, Block]:
    """Return the blocks below `roots` by id: <family>/<id>/block.json or <id>/block.json. Default: the library."""
    blocks = {}
    found = (path for root in roots or [ROOT] for depth in ("*", "*/*") for path in root.glob(f"{depth}/block.json"))
    for path in sorted(found):
        blocks[path.parent.name] = load_block(path.parent)
    return blocks


def load_block(folder: Path) -> Block:
    """Return the block in a folder that is named after its id."""
    spec = importlib.util.spec_from_file_location(f"weir_reference_of_{folder.name}", folder / "reference.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder / 'reference.py'} is not a Python module")
    truth = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(truth)
    return Block(folder.name, folder, json.loads((folder / "block.json").read_text()), truth)


def wide(array: np.ndarray) -> np.ndarray:
    """Convert to float64 or complex128; integers stay unchanged."""
    return array.astype({"f": np.float64, "c": np.complex128}.get(array.dtype.kind, array.dtype))


def nearest_turn(out: np.ndarray, truth: np.ndarray, period: float | None) -> np.ndarray:
    """Return `truth`, moved to the other end of the period (-period / 2 or period / 2) where `out` is at that end."""
    if period is None:
        return truth
    other_end = truth - np.copysign(period, truth)
    ends = np.abs(other_end) <= period / 2 * (1 + 1e-6)
    return np.where(ends & (np.sign(out) == np.sign(other_end)), other_end, truth)


def ulp_error(out: np.ndarray, truth: np.ndarray, magnitude: np.ndarray) -> float:
    """Return the largest |out - truth| in ulp (of `out`'s float type) of `magnitude`; inf if `out` or `truth` is not
    finite and the other one differs.

    Complex items count by component. Their magnitude is real for both components, or complex for one each.
    """
    if out.dtype.kind == "c":
        parts = (magnitude.real, magnitude.imag) if magnitude.dtype.kind == "c" else (magnitude, magnitude)
        return max(ulp_error(out.real, truth.real, parts[0]), ulp_error(out.imag, truth.imag, parts[1]))
    with np.errstate(over="ignore"):
        rounded = truth.astype(out.dtype)
    beyond = ~(np.isfinite(out) & np.isfinite(rounded))
    if not np.array_equal(out[beyond], rounded[beyond], equal_nan=True):
        return float("inf")
    size = np.maximum(np.abs(magnitude[~beyond]), np.finfo(out.dtype).tiny).astype(out.dtype)
    errors = np.abs(out[~beyond].astype(np.float64) - truth[~beyond]) / np.spacing(size)
    return float(errors.max(initial=0.0))
