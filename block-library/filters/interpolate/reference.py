import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    return {"out": _filter(wide(inputs["in"]), _taps(parameters), parameters["interpolation"])}


def magnitude(parameters, inputs, item_type, context):
    """Return the sums of magnitudes, scaled, because a sum in order rounds by up to half an ulp per tap."""
    sums = _filter(np.abs(wide(inputs["in"])), np.abs(_taps(parameters)), parameters["interpolation"])
    return {"out": sums * max(1, _taps(parameters).size / parameters["interpolation"] / 16)}


def cases(item_type, context):
    random = np.random.default_rng(10)
    for taps, interpolation in ((1, 1), (2, 3), (33, 1), (64, 5), (40, 64), (1024, 2), (2500, 5)):
        yield {"taps": random.normal(size=taps).tolist(), "interpolation": interpolation}


def limits(item_type):
    random = np.random.default_rng(9)
    for taps in (np.full(1024, 2 ** -10), np.full(8192, 2 ** -13), np.abs(random.normal(size=8192))):
        yield {"taps": taps.tolist(), "interpolation": 4}


def _taps(parameters):
    return np.array(parameters["taps"], np.float32).astype(np.float64)


def _filter(x, taps, interpolation):
    stuffed = np.zeros(len(x) * interpolation, x.dtype)
    stuffed[::interpolation] = x
    return np.convolve(stuffed, taps)[:len(stuffed)] if len(x) else x
