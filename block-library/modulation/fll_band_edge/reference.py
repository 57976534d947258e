import math

import numpy as np
from weir_reference import loop_gains, nearest, phasor, wide

CYCLE = 2.0**60
ERRORS = 2.0**24
LARGEST = 16.0


def reference(parameters, inputs, item_type, context):
    sps = parameters["samples_per_symbol"]
    to_phase, to_frequency = (gain * (CYCLE / math.tau / ERRORS) for gain in loop_gains(parameters["bandwidth"]))
    fastest = nearest(2 / sps * CYCLE)
    real, imag = _taps(sps, parameters["rolloff"], parameters["filter_size"])
    x, size = _late(parameters, inputs), len(real)
    turns, made = np.empty(len(x), complex), np.zeros(len(x) + size, np.complex128)
    phase = frequency = 0
    for n, item in enumerate(x):
        turns[n] = phasor(phase)
        made[n + size] = np.complex64(item * turns[n])
        window = made[n + 1:n + 1 + size]
        a, b = real @ window, imag @ window
        e = 4 * (a.imag * b.real - a.real * b.imag)
        e = nearest(min(max(e, -LARGEST), LARGEST) * ERRORS) if math.isfinite(e) else 0
        frequency += nearest(to_frequency * e)
        phase += (frequency + nearest(to_phase * e)) * 16
        frequency = min(max(frequency, -fastest), fastest)
    return {"out": x * turns}


def magnitude(parameters, inputs, item_type, context):
    return {"out": np.abs(_late(parameters, inputs))}


def cases(item_type, context):
    return [{"samples_per_symbol": 4.0, "filter_size": 45, "bandwidth": 0.0628},
            {"samples_per_symbol": 2.0, "rolloff": 0.0, "filter_size": 8, "bandwidth": 0.5}]


def _late(parameters, inputs):
    x = wide(inputs["in"])
    return np.concatenate([np.zeros(parameters["filter_size"], x.dtype), x])[:len(x)]


def _taps(sps, rolloff, size):
    """Return the real and imaginary parts of the filter of the lower edge, oldest item first."""
    i = np.arange(size)
    k = rolloff * (2 * i / sps - round(size / sps))
    taps = np.sinc(k - 0.5) + np.sinc(k + 0.5)
    turns = np.exp(1j * math.pi * (1 + rolloff) * (i - (size - 1) // 2) / sps) * taps / taps.sum()
    return turns.real.copy(), turns.imag.copy()
