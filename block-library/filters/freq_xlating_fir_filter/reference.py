from fractions import Fraction

import numpy as np
from weir_reference import indices, wide


def reference(parameters, inputs, item_type, context):
    x, decimation = wide(inputs["in"]), parameters["decimation"]
    taps = _taps(parameters)
    made = _filter(x, taps * _turns(parameters, 2 * indices(len(taps)) - np.uint64(len(taps) - 1)), decimation)
    return {"out": made * np.conj(_turns(parameters, indices(len(made)) * np.uint64(2 * decimation)))}


def magnitude(parameters, inputs, item_type, context):
    """Return the sums of magnitudes, scaled, because a sum in order rounds by up to half an ulp per tap."""
    taps = _taps(parameters)
    sums = _filter(np.abs(wide(inputs["in"])), np.abs(taps), parameters["decimation"])
    return {"out": sums * max(1, taps.size / 16)}


def cases(item_type, context):
    random = np.random.default_rng(9)
    for taps, decimation, frequency in ((1, 1, 0.0), (2, 3, 12000.0), (33, 1, -7000.5), (64, 5, 1e3), (129, 64, 2e4)):
        imag = random.normal(size=taps).tolist() if taps % 2 else []
        yield {"taps": random.normal(size=taps).tolist(), "taps_imag": imag, "decimation": decimation,
               "frequency": frequency}


def limits(item_type):
    for count in (1024, 4096):
        yield {"taps": np.full(count, 1 / count).tolist(), "decimation": 64, "frequency": 100.0}


def _taps(parameters):
    real = np.array(parameters["taps"], np.float32).astype(np.float64)
    imag = np.array(parameters["taps_imag"] or np.zeros(len(real)), np.float32).astype(np.float64)
    return real + 1j * imag


def _turns(parameters, halves):
    """Return exp(pi j n frequency / sample_rate) for n halves of an item, modulo 2^64."""
    step = round(Fraction(parameters["frequency"]) / Fraction(2 * parameters["sample_rate"]) * 2**64) % 2**64
    return np.exp(2j * np.pi * ((halves * np.uint64(step)).astype(np.float64) / 2.0**64))


def _filter(x, taps, decimation):
    whole = len(x) // decimation * decimation
    return np.convolve(x[:whole], taps)[:whole:decimation] if whole else x[:0] * taps[0]
