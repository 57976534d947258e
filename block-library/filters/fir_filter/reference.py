import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    return {"out": _filter(wide(inputs["in"]), _taps(parameters), parameters["decimation"])}


def magnitude(parameters, inputs, item_type, context):
    return {"out": _filter(np.abs(wide(inputs["in"])), np.abs(_taps(parameters)), parameters["decimation"])}


def cases(item_type, context):
    random = np.random.default_rng(9)
    for taps, decimation in ((1, 1), (2, 3), (33, 1), (64, 5), (129, 64), (1024, 1), (17, 1000)):
        yield {"taps": random.normal(size=taps).tolist(), "decimation": decimation}


def _taps(parameters):
    return np.array(parameters["taps"], np.float32).astype(np.float64)


def _filter(x, taps, decimation):
    whole = len(x) // decimation * decimation
    return np.convolve(x[:whole], taps)[:whole:decimation] if whole else x[:0]
