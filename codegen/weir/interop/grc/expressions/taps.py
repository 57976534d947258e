"""GNU Radio's functions that make taps, with the names and the order of their arguments."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from weir.model.designing.design import RRC, Design, faults
from weir.model.designing.fir import KAISER, attenuation_of, tap_count

#: GNU Radio's names of windows -> Weir's.
WINDOWS = {"WIN_HAMMING": "hamming", "WIN_HANN": "hann", "WIN_HANNING": "hann", "WIN_BLACKMAN": "blackman",
           "WIN_RECTANGULAR": "rectangular", "WIN_KAISER": KAISER, "WIN_BLACKMAN_hARRIS": "blackman_harris"}
_NUMBERED = ("WIN_HAMMING", "WIN_HANN", "WIN_BLACKMAN", "WIN_RECTANGULAR", "WIN_KAISER", "WIN_BLACKMAN_hARRIS")

_BEGINS = {"gain": "gain", "sampling_freq": "sample_rate"}
_ONE = {"cutoff_freq": "cutoff"}
_TWO = {"low_cutoff_freq": "low_cutoff", "high_cutoff_freq": "high_cutoff"}
_EDGES = {"low_pass": _ONE, "high_pass": _ONE, "band_pass": _TWO, "band_reject": _TWO}
_WIDTH, _ATTENUATION = {"transition_width": "transition"}, {"attenuation_dB": "attenuation_db"}
_SHAPE = {"window": "window", "param": "beta"}
#: Functions with an attenuation, from which the number of taps follows -> those without.
_ATTENUATED = {f"{name}_2": name for name in _EDGES}
#: Function of `firdes` -> its arguments in order, with their names in a design of Weir.
ARGUMENTS: dict[str, dict[str, str]] = {
    **{name: {**_BEGINS, **edges, **_WIDTH, **_SHAPE} for name, edges in _EDGES.items()},
    **{name: {**_BEGINS, **_EDGES[of], **_WIDTH, **_ATTENUATION, **_SHAPE} for name, of in _ATTENUATED.items()},
    RRC: {**_BEGINS, "symbol_rate": "symbol_rate", "alpha": "roll_off", "ntaps": "number_of_taps"},
}
#: Functions with complex taps -> those with the taps that they shift to the middle of the band. Weir leaves out
#: complex_band_reject_2, which writes beyond its memory in GNU Radio 3.10.
_SHIFTED = {"complex_band_pass": "low_pass", "complex_band_pass_2": "low_pass_2", "complex_band_reject": "high_pass"}
_DEFAULTS: dict[str, Any] = {"window": "WIN_HAMMING", "beta": 6.76}
#: Weir's own name for the taps of a rational resampler without given taps.
RESAMPLER = "resampler"
FUNCTIONS = frozenset({*ARGUMENTS, *_SHIFTED, RESAMPLER})

T = TypeVar("T")


def designed(function: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[float] | list[complex]:
    """Return the taps that a function makes. Raises ValueError or TypeError if it makes none."""
    if function == RESAMPLER:
        return _resampler(*arguments, **keywords)
    real = function.removeprefix("complex_")
    given = bound(real, arguments, keywords)
    if missing := ARGUMENTS[real].values() - given.keys() - _DEFAULTS.keys():
        raise TypeError(f"{function} needs {', '.join(sorted(missing))}")
    return _shifted(function, given) if function in _SHIFTED else _taps(design_of(function, given))


def bound(function: str, arguments: Sequence[T], keywords: Mapping[str, T]) -> dict[str, T]:
    """Return the arguments by their names in a design. Raises TypeError for an argument that the function does not
    take.
    """
    names = ARGUMENTS[function]
    if len(arguments) > len(names) or not keywords.keys() <= names.keys():
        raise TypeError(f"{function} has the arguments {', '.join(names)}")
    return dict(zip(names.values(), arguments)) | {names[name]: value for name, value in keywords.items()}


def design_of(function: str, given: Mapping[str, Any]) -> Design:
    """Return the design for arguments by their names in a design. Raises ValueError for an unknown window, and
    TypeError for an argument that is not a number.
    """
    given, function = _of_the_window(function, given)
    values = {key: value for key, value in (_DEFAULTS | dict(given)).items() if key in ARGUMENTS[function].values()}
    if function == RRC:
        values["number_of_taps"] = int(values["number_of_taps"])
    else:
        values["window"] = window_of(values["window"])
        if values["window"] != KAISER:
            del values["beta"]
    if any(isinstance(value, (complex, list)) for value in values.values()):
        raise TypeError("rates and frequencies of a filter must be real numbers")
    return Design(kind=function, **values)


def _of_the_window(function: str, given: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """Return the arguments and the function without an attenuation: with the transition that gives as many taps by the
    attenuation of the window.
    """
    if function not in _ATTENUATED:
        return given, function
    rate, width, attenuation = given["sample_rate"], given["transition"], given["attenuation_db"]
    if not (width > 0 and attenuation > 0 and rate > 0):
        raise ValueError("rate, transition and attenuation of a filter must be above 0")
    own = attenuation_of(window_of(given.get("window", _DEFAULTS["window"])), given.get("beta", _DEFAULTS["beta"]))
    count, same = tap_count(rate, width, attenuation), width * own / attenuation
    nearly = (same, same * (1 - 1e-12), same * (1 + 1e-12))  # rounding may give two taps more or less
    same = next((it for it in nearly if tap_count(rate, it, own) == count), same)
    kept = {key: it for key, it in given.items() if key != "attenuation_db"}
    return kept | {"transition": same}, _ATTENUATED[function]


def _shifted(function: str, given: Mapping[str, Any]) -> list[complex]:
    """Return real taps, shifted to the middle of a band. GNU Radio adds up the phase in single precision."""
    low, high, rate = given["low_cutoff"], given["high_cutoff"], given["sample_rate"]
    if not rate > 0 or not -rate / 2 <= low < high <= rate / 2:
        raise ValueError("the cutoffs are not in order, or beyond half the sample rate")
    edge = {key: value for key, value in given.items() if key not in ("low_cutoff", "high_cutoff")}
    taps = _taps(design_of(_SHIFTED[function], edge | {"cutoff": (high - low) / 2}))
    step = _single(math.pi * (high + low) / rate)
    phase, made = _single(-step * (len(taps) // 2)), []
    for tap in taps:
        made.append(complex(tap * math.cos(phase), tap * math.sin(phase)))
        phase = _single(phase + step)
    return made


def _single(value: float) -> float:
    """Round to single precision."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


def window_of(kind: Any) -> str:
    """Return the name of a window from GNU Radio's number or name. Raises ValueError if it is unknown."""
    name = _NUMBERED[kind] if isinstance(kind, int) else str(kind)
    if name not in WINDOWS:
        raise ValueError(f"Weir does not support the window {name}")
    return WINDOWS[name]


def _taps(design: Design) -> list[float]:
    for fault in faults(design):
        raise ValueError(fault.message)
    return design.taps()


def _resampler(interpolation: int, decimation: int, fractional_bw: float = 0.0) -> list[float]:
    """Design a low-pass with a passband up to 0.4 of the lower rate by default, and a Kaiser window of beta 7."""
    common = math.gcd(int(interpolation), int(decimation))
    up, down = int(interpolation) // common, int(decimation) // common
    if up <= 0 or down <= 0:
        raise ValueError("interpolation and decimation must be above 0")
    narrower = min(1.0, up / down)
    width = narrower * (0.5 - (fractional_bw or 0.4))
    return _taps(Design("low_pass", float(up), narrower * 0.5 - width / 2, transition=width, window=KAISER, beta=7.0,
                        gain=float(up)))
