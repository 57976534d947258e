import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    return {"out": _filter(wide(inputs["in"]), _taps(parameters), parameters["decimation"])}


def magnitude(parameters, inputs, item_type, context):
    """Return the sums of magnitudes, scaled, because a sum in order rounds by up to half an ulp per tap."""
    sums = _filter(np.abs(wide(inputs["in"])), np.abs(_taps(parameters)), parameters["decimation"])
    return {"out": sums * max(1, _taps(parameters).size / 16)}


def cases(item_type, context):
    random = np.random.default_rng(9)
    for taps, decimation in ((1, 1), (2, 3), (33, 1), (64, 5), (129, 64), (1024, 1), (17, 1000)):
        yield {"taps": random.normal(size=taps).tolist(), "decimation": decimation}


def limits(item_type):
    random = np.random.default_rng(9)
    for taps in (np.full(1024, 2 ** -10), np.full(8192, 2 ** -13), np.abs(random.normal(size=8192))):
        yield {"taps": taps.tolist(), "decimation": 64}


def _taps(parameters):
    return np.array(parameters["taps"], np.float32).astype(np.float64)


def _filter(x, taps, decimation):
    whole = len(x) // decimation * decimation
    return np.convolve(x[:whole], taps)[:whole:decimation] if whole else x[:0]
