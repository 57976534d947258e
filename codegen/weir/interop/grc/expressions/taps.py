"""GNU Radio's functions that make taps, with the names and the order of their arguments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from weir.model.designing.design import RRC, Design, faults
from weir.model.designing.fir import KAISER

#: GNU Radio's names of windows -> Weir's.
WINDOWS = {"WIN_HAMMING": "hamming", "WIN_HANN": "hann", "WIN_HANNING": "hann", "WIN_BLACKMAN": "blackman",
           "WIN_RECTANGULAR": "rectangular", "WIN_KAISER": KAISER, "WIN_BLACKMAN_hARRIS": "blackman_harris"}
_NUMBERED = ("WIN_HAMMING", "WIN_HANN", "WIN_BLACKMAN", "WIN_RECTANGULAR", "WIN_KAISER", "WIN_BLACKMAN_hARRIS")

_ENDS = {"transition_width": "transition", "window": "window", "param": "beta"}
_BEGINS = {"gain": "gain", "sampling_freq": "sample_rate"}
_TWO = {"low_cutoff_freq": "low_cutoff", "high_cutoff_freq": "high_cutoff"}
#: Function of `firdes` -> its arguments in order, with their names in a design of Weir.
ARGUMENTS: dict[str, dict[str, str]] = {
    "low_pass": {**_BEGINS, "cutoff_freq": "cutoff", **_ENDS},
    "high_pass": {**_BEGINS, "cutoff_freq": "cutoff", **_ENDS},
    "band_pass": {**_BEGINS, **_TWO, **_ENDS},
    "band_reject": {**_BEGINS, **_TWO, **_ENDS},
    RRC: {**_BEGINS, "symbol_rate": "symbol_rate", "alpha": "roll_off", "ntaps": "number_of_taps"},
}
_DEFAULTS: dict[str, Any] = {"window": "WIN_HAMMING", "beta": 6.76}
#: Weir's own name for the taps of a rational resampler without given taps.
RESAMPLER = "resampler"
FUNCTIONS = frozenset({*ARGUMENTS, RESAMPLER})

T = TypeVar("T")


def designed(function: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[float]:
    """Return the taps that a function makes. Raises ValueError or TypeError if it makes none."""
    if function == RESAMPLER:
        return _resampler(*arguments, **keywords)
    given = bound(function, arguments, keywords)
    if missing := ARGUMENTS[function].values() - given.keys() - _DEFAULTS.keys():
        raise TypeError(f"{function} needs {', '.join(sorted(missing))}")
    return _taps(design_of(function, given))


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
