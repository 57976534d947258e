"""GNU Radio's functions that make taps, with the names and the order of their arguments."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from weir.model.designing.design import RRC, Design, faults
from weir.model.designing.fir import KAISER, MOST_TAPS, attenuation_of, tap_count, weights

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
T = TypeVar("T")


def designed(function: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[float] | list[complex]:
    """Return the taps that a function makes. Raises ValueError or TypeError if it makes none."""
    if function in _OTHERS:
        return _OTHERS[function](*arguments, **keywords)
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


def _gaussian(gain: float, spb: float, bt: float, ntaps: int) -> list[float]:
    """Return a Gaussian pulse of `spb` items a symbol, whose peak is one tap before the middle of an even number."""
    scale, count = 2 * math.pi * bt / (math.sqrt(math.log(2)) * spb), _count(ntaps)
    pulse = [math.exp(-0.5 * (scale * (n + 1 - 0.5 * count)) ** 2) for n in range(count)]
    total = sum(pulse)
    return [gain * it / total for it in pulse]


def _hilbert(ntaps: int = 19, window: Any = _DEFAULTS["window"], param: float = _DEFAULTS["beta"]) -> list[float]:
    """Return 1 / n at odd n from the middle, weighted by a window, with a gain of 1 at a quarter of the rate."""
    if not _count(ntaps) % 2:
        raise ValueError("a Hilbert filter has an odd number of taps")
    middle, weight = ntaps // 2, weights(window_of(window), ntaps, param)
    taps = [weight[middle + n] / n if n % 2 else 0.0 for n in range(-middle, middle + 1)]
    gain = 2 * abs(sum(tap * (-1) ** (n // 2) for n, tap in enumerate(taps[middle + 1:])))
    return [tap / gain for tap in taps]


def _preemphasis(sample_rate: float, tau: float, fh: float) -> list[float]:
    """Return the response to an impulse of the filter that raises frequencies from 1 / (2 pi tau) to `fh`, a bilinear
    transform of one zero and one pole with a gain of 1 at 0 Hz, until it is below 1e-8 of its begin.
    """
    if not 0 < fh < sample_rate / 2:
        fh = 0.925 * sample_rate / 2
    zero, pole = ((1 - warped) / (1 + warped) for warped in (
        math.tan(0.5 / (sample_rate * tau)), math.tan(math.pi * fh / sample_rate)))
    count = _count(2 + math.ceil(math.log(1e-8) / math.log(max(abs(pole), 1e-3))))
    first = (1 - pole) / (1 - zero)
    return [first, *(first * (pole - zero) * pole ** n for n in range(count - 1))]


def _interpolator(phases: int) -> list[float]:
    """Return the taps of the filters that estimate, from 8 items, those at each of `phases` places between the two in
    the middle, with the least mean square of the error up to a quarter of the rate. GNU Radio has such a filter for
    each 128th of the distance.
    """
    if not 0 < phases <= MOST_TAPS // _TAPS_OF_PLACE:
        raise ValueError(f"a rate of {phases} phases is not supported, only up to {MOST_TAPS // _TAPS_OF_PLACE}")
    taps = [0.0] * (_TAPS_OF_PLACE * phases)
    made: dict[int, list[float]] = {}
    for phase in range(phases):
        place = round(phase * 128 / phases)
        if place not in made:
            made[place] = _between(place / 128)
        for at, tap in enumerate(reversed(made[place])):
            taps[phase + at * phases] = tap
    return taps


_TAPS_OF_PLACE = 8


def _between(place: float) -> list[float]:
    """Solve the normal equations of the least mean square by elimination."""
    def alike(distance: float) -> float:
        return math.sin(math.pi * distance / 2) / (math.pi * distance / 2) if distance else 1.0

    count = _TAPS_OF_PLACE
    rows = [[alike(i - j) for j in range(count)] + [alike(i - (count / 2 - 1 + place))] for i in range(count)]
    for at in range(count):
        best = max(range(at, count), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        for row in range(count):
            if row != at:
                by = rows[row][at] / rows[at][at]
                rows[row] = [a - by * b for a, b in zip(rows[row], rows[at])]
    return [rows[at][count] / rows[at][at] for at in range(count)]


def _count(taps: Any) -> int:
    if not isinstance(taps, int) or not 0 < taps <= MOST_TAPS:
        raise ValueError(f"the filter has {taps} taps, but 1 to {MOST_TAPS} are possible")
    return taps


#: Functions without a design of Weir. `resampler`, the taps of a rational resampler without given taps, `preemphasis`
#: and `interpolator` are names of Weir alone.
_OTHERS: dict[str, Callable[..., list[float]]] = {
    "resampler": _resampler, "gaussian": _gaussian, "hilbert": _hilbert, "preemphasis": _preemphasis,
    "interpolator": _interpolator}
FUNCTIONS = frozenset({*ARGUMENTS, *_SHIFTED, *_OTHERS})
