import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    x, taps = _whole(parameters, inputs), _taps(parameters)
    return {"out": np.convolve(x, taps)[:len(x)] if len(x) else x}


def magnitude(parameters, inputs, item_type, context):
    """Return the norm of the items of this group and the one before it, times the norm of the taps.

    The rounding error of a transform depends on all of its items.
    """
    groups = _whole(parameters, inputs).reshape(-1, _group(parameters))
    norms = np.linalg.norm(groups, axis=1)
    before = np.concatenate([[0], norms[:-1]]) if len(norms) else norms
    return {"out": np.repeat(np.hypot(norms, before) * np.linalg.norm(_taps(parameters)), groups.shape[1])}


def cases(item_type, context):
    random = np.random.default_rng(9)
    for taps in (1, 2, 3, 16, 33, 129, 1024):
        yield {"taps": random.normal(size=taps).tolist()}


def limits(item_type):
    random = np.random.default_rng(9)
    for taps in (np.full(1024, 2 ** -10), np.full(8192, 2 ** -13), np.abs(random.normal(size=8192)), np.ones(1)):
        yield {"taps": taps.tolist()}


def _taps(parameters):
    return np.array(parameters["taps"], np.float32).astype(np.float64)


def _group(parameters):
    taps = len(parameters["taps"])
    return 2 ** ((taps - 1).bit_length() + 1) - taps + 1


def _whole(parameters, inputs):
    x, group = wide(inputs["in"]), _group(parameters)
    return x[:len(x) // group * group]
