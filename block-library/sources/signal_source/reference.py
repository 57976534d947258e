from fractions import Fraction

import numpy as np
from weir_reference import indices


def reference(parameters, inputs, item_type, context):
    amplitude, offset = float(np.float32(parameters["amplitude"])), parameters["offset"]
    waveform = parameters["waveform"]
    if waveform == "constant":
        return {"out": np.full(context.items, amplitude + offset)}
    cycles = Fraction(parameters["frequency"]) / Fraction(parameters["sample_rate"])
    step = round(cycles * 2**64) % 2**64
    first = round(Fraction(parameters["phase"] / (2 * np.pi)) * 2**64) % 2**64
    word = indices(context.items) * np.uint64(step) + np.uint64(first)
    # Phase in cycles, -0.5 to 0.5, at the resolution of 2^-32 that the block states.
    phase = ((word + np.uint64(2**31)) >> np.uint64(32)).astype(np.uint32).view(np.int32) / 2.0**32
    out = amplitude * WAVES[waveform](phase)
    if item_type == "c64":
        later = phase - 0.25
        out = out + 1j * amplitude * WAVES[waveform](np.where(later < -0.5, later + 1, later))
    return {"out": out + offset}


def magnitude(parameters, inputs, item_type, context):
    return {"out": np.full(context.items, abs(parameters["amplitude"]) + abs(parameters["offset"]))}


def cases(item_type, context):
    for waveform in [*WAVES, "constant"]:
        yield {"waveform": waveform}
        yield {"waveform": waveform, "sample_rate": 1.0, "frequency": -0.1234567, "amplitude": 3.7, "phase": 1.0}
        yield {"waveform": waveform, "sample_rate": 1e6, "frequency": 100e3, "offset": -2.5}


WAVES = {
    "cosine": lambda p: np.cos(2 * np.pi * p),
    "sine": lambda p: np.sin(2 * np.pi * p),
    "square": lambda p: np.where(p >= 0, 1.0, -1.0),
    "triangle": lambda p: np.where(np.abs(p) <= 0.25, 4 * p, np.sign(p) * (2 - 4 * np.abs(p))),
    "sawtooth": lambda p: 2 * p,
}
