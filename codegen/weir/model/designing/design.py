"""Filter design: read from a project or a command line, checked, and converted into taps."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, cast

from weir.diagnostics import Diagnostic, diagnostic, did_you_mean, pointer
from weir.model.designing import fir
from weir.model.designing.fir import KAISER, WINDOWS, attenuation_of, beta_for, weights
from weir.model.document.values import Evaluator, Path_, is_expression
from weir.sure import sure

_ONE_EDGE, _TWO_EDGES = ("low_pass", "high_pass"), ("band_pass", "band_reject")
RRC = "root_raised_cosine"
KINDS = (*_ONE_EDGE, *_TWO_EDGES, RRC)
#: Range of a Kaiser window in dB: below it there is no window, above it single precision is the limit.
LEAST_ATTENUATION, MOST_ATTENUATION, MOST_BETA = 10.0, 200.0, 100.0
#: Range of frequencies, rates and gains: beyond it, single precision cannot hold the taps.
LEAST, MOST = 1e-9, 1e12


class Field(NamedTuple):
    """Numeric field of a design. `needed`: the field has no default."""

    kinds: tuple[str, ...]
    unit: str
    needed: bool
    meaning: str


_WINDOWED = _ONE_EDGE + _TWO_EDGES
FIELDS: Mapping[str, Field] = {
    "sample_rate": Field(KINDS, "Hz", True, "sample rate in Hz at which the filter runs"),
    "cutoff": Field(_ONE_EDGE, "Hz", True, "frequency at which the response is half the gain"),
    "low_cutoff": Field(_TWO_EDGES, "Hz", True, "lower frequency at which the response is half the gain"),
    "high_cutoff": Field(_TWO_EDGES, "Hz", True, "upper frequency at which the response is half the gain"),
    "transition": Field(_WINDOWED, "Hz", True,
                        "width of the transition between pass band and stop band, centred on a cutoff"),
    "attenuation_db": Field(_WINDOWED, "dB", False, "attenuation of the stop band, for the Kaiser window"),
    "beta": Field(_WINDOWED, "", False, "shape of the Kaiser window, instead of an attenuation; the number of taps is "
                                        "then that of GNU Radio"),
    "symbol_rate": Field((RRC,), "Hz", True, "symbols per second"),
    "roll_off": Field((RRC,), "", True, "excess bandwidth over half the symbol rate: above 0, at most 1"),
    "number_of_taps": Field((RRC,), "", True, "number of taps; Weir adds one to an even number"),
    "gain": Field(KINDS, "", False, "gain in the middle of the pass band; 1 if not given"),
}


@dataclass(frozen=True)
class Design:
    """A filter design. Frequencies and rates are in Hz. Fields that its kind does not use are None."""

    kind: str
    sample_rate: float
    cutoff: float | None = None
    low_cutoff: float | None = None
    high_cutoff: float | None = None
    transition: float | None = None
    window: str = "hamming"
    attenuation_db: float | None = None
    beta: float | None = None
    symbol_rate: float | None = None
    roll_off: float | None = None
    number_of_taps: int | None = None
    gain: float = 1.0

    def as_json(self) -> dict[str, Any]:
        """Return the values that this kind of filter uses."""
        known = [field.name for field in fields(self)]
        return {name: value for name in known if (value := getattr(self, name)) is not None
                and (name not in FIELDS or self.kind in FIELDS[name].kinds) and (name != "window" or self.kind != RRC)}

    def edges(self) -> tuple[float, ...]:
        """Return the frequencies of the band edges, from low to high."""
        given = (self.cutoff, self.low_cutoff, self.high_cutoff, self.symbol_rate and self.symbol_rate / 2)
        return tuple(edge for edge in given if edge is not None)

    def half_transition(self) -> float:
        """Return half the width of the transition in Hz."""
        if self.kind == RRC:
            return sure(self.symbol_rate) * sure(self.roll_off) / 2
        return sure(self.transition) / 2

    def window_beta(self) -> float:
        """Return beta of the Kaiser window, stated or from the attenuation; 0 for other windows."""
        if self.window != KAISER:
            return 0.0
        return beta_for(sure(self.attenuation_db)) if self.beta is None else self.beta

    def count(self) -> int:
        """Return the number of taps, which may exceed the limit. This costs nothing."""
        if self.kind == RRC:
            return sure(self.number_of_taps) | 1
        if self.window == KAISER and self.beta is None:
            return fir.kaiser_count(self.sample_rate, sure(self.transition), sure(self.attenuation_db))
        return fir.tap_count(self.sample_rate, sure(self.transition),
                             attenuation_of(self.window, self.window_beta()))

    def taps(self) -> list[float]:
        """Return the taps in double precision. The design must have no `faults`."""
        if self.kind == RRC:
            return fir.root_raised_cosine(self.sample_rate, sure(self.symbol_rate), sure(self.roll_off), self.count(),
                                          self.gain)
        make = getattr(fir, self.kind)
        taps: list[float] = make(self.sample_rate, *self.edges(),
                                 weights(self.window, self.count(), self.window_beta()), self.gain)
        return taps


class Fault(NamedTuple):
    """Fault of a design. `key`: the faulty field."""

    key: str
    code: str
    message: str
    hint: str = ""


def faults(design: Design) -> list[Fault]:
    """Return why no such filter exists; empty if it does."""
    found = [Fault(key, "E_DESIGN_VALUE", f"the {_words(key)} of a filter must be above 0, not {value:g}"
                   if value <= 0 else f"choose a {_words(key)} from {LEAST:g} to {MOST:g}")
             for key in FIELDS if key not in ("gain", "beta", "attenuation_db")
             and (value := getattr(design, key)) is not None and not LEAST <= value <= MOST]
    found += [] if found else _beyond(design)
    if not found and design.count() > fir.MOST_TAPS:
        key, hint = ("number_of_taps", "choose fewer taps") if design.kind == RRC else (
            "transition", "choose a wider transition or a lower sample rate")
        found.append(Fault(key, "E_DESIGN_SIZE", f"the filter has {_counted(design.count())} taps, but at most "
                                                 f"{fir.MOST_TAPS} are possible", hint))
    return found


def _beyond(design: Design) -> Iterator[Fault]:
    half = design.sample_rate / 2
    for key in ("cutoff", "low_cutoff", "high_cutoff"):
        value = getattr(design, key)
        if value is not None and (value > half or value == half and design.kind == "high_pass"):
            yield Fault(key, "E_DESIGN_VALUE", f"the {_words(key)} of {value:g} Hz is not below half the sample rate, "
                                               f"{half:g} Hz",
                        "choose a lower frequency or a higher sample rate")
    if design.kind in _TWO_EDGES and sure(design.low_cutoff) >= sure(design.high_cutoff):
        yield Fault("high_cutoff", "E_DESIGN_VALUE", f"the high cutoff of {design.high_cutoff:g} Hz is not above the "
                                                     f"low cutoff of {design.low_cutoff:g} Hz", "exchange the cutoffs")
    if not LEAST <= abs(design.gain) <= MOST:
        yield Fault("gain", "E_DESIGN_VALUE", "a filter with a gain of 0 passes nothing" if design.gain == 0 else
                    f"the gain of a filter must be from {LEAST:g} to {MOST:g}, not {design.gain:g}")
    if design.kind == RRC and sure(design.roll_off) > 1:
        yield Fault("roll_off", "E_DESIGN_VALUE", f"the roll-off must be at most 1, not {design.roll_off:g}")
    if design.kind != RRC and design.window == KAISER:
        yield from _kaiser(design)


def _kaiser(design: Design) -> Iterator[Fault]:
    if design.beta is None and design.attenuation_db is None:
        yield Fault("attenuation_db", "E_DESIGN_VALUE", "the Kaiser window needs an attenuation", "60 dB is usual")
    elif design.beta is not None and not 0 <= design.beta <= MOST_BETA:
        yield Fault("beta", "E_DESIGN_VALUE", f"beta must be from 0 to {MOST_BETA:g}, not {design.beta:g}")
    elif design.beta is None and not LEAST_ATTENUATION <= sure(design.attenuation_db) <= MOST_ATTENUATION:
        yield Fault("attenuation_db", "E_DESIGN_VALUE", f"the attenuation must be from {LEAST_ATTENUATION:g} to "
                                                        f"{MOST_ATTENUATION:g} dB, not {design.attenuation_db:g} dB")


def _words(key: str) -> str:
    return key.replace("_", " ")


def _counted(number: int) -> str:
    return f"{number:,}".replace(",", " ") if number < 1e9 else "more than 10^9"


def read_design(entry: Any, evaluator: Evaluator, path: Path_) -> tuple[Design | None, list[Diagnostic]]:
    """Return the design in a project at `path` with evaluated expressions and its faults. The design is None if there
    are any. Keys that its kind does not use are allowed: the user may have changed the kind.
    """
    given = entry if isinstance(entry, dict) else {}
    found = [diagnostic("E_DESIGN_VALUE", pointer(*path, key), f"there is no {key} `{given.get(key)}`",
                        did_you_mean(str(given.get(key)), known))
             for key, known in (("kind", KINDS), ("window", WINDOWS))
             if not isinstance(given.get(key, "hamming" if key == "window" else None), str)
             or given.get(key, known[0]) not in known]
    if found:
        return None, found
    before = len(evaluator.diagnostics)
    values = {key: _number(key, given[key], evaluator, path) for key, field in FIELDS.items()
              if given["kind"] in field.kinds and key in given}
    found = evaluator.diagnostics[before:]
    del evaluator.diagnostics[before:]
    found += [diagnostic("E_DESIGN_VALUE", pointer(*path), f"a {_words(given['kind'])} filter needs a {_words(key)}",
                         field.meaning)
              for key, field in FIELDS.items() if field.needed and given["kind"] in field.kinds and key not in given]
    if found or None in values.values():
        return None, found
    design = Design(kind=given["kind"], window=given.get("window", "hamming"), **cast(Any, values))
    found = [diagnostic(f.code, pointer(*path, f.key), f.message, f.hint) for f in faults(design)]
    return (None if found else design), found


def _number(key: str, value: Any, evaluator: Evaluator, path: Path_) -> float | int | None:
    at = (*path, key)
    found = evaluator.literal(value, at)
    if found is None and is_expression(value):
        return None  # reported already
    if not _is_number(found):
        evaluator.fault("E_DESIGN_VALUE", at, f"the {_words(key)} of a filter must be a number")
        return None
    return evaluator.integer(value, at) if key == "number_of_taps" else found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def as_f32(value: float) -> float:
    """Return the shortest decimal number that has the same value in single precision, to keep files short."""
    packed = struct.pack("f", value)
    [single] = struct.unpack("f", packed)
    shorter = (float(f"{single:.{digits}g}") for digits in range(6, 9))
    return next((it for it in shorter if struct.pack("f", it) == packed), float(f"{single:.9g}"))
