import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    return {"out": _resampled(parameters, wide(inputs["in"]), _taps(parameters))}


def magnitude(parameters, inputs, item_type, context):
    """Return the sums of magnitudes, scaled, because a sum in order rounds by up to half an ulp per tap."""
    taps = [np.abs(of) for of in _taps(parameters)]
    return {"out": _resampled(parameters, np.abs(wide(inputs["in"])), taps) * max(1, taps[0].shape[1] / 16)}


def cases(item_type, context):
    random = np.random.default_rng(11)
    for taps, filters, up, down in ((1, 1, 1, 1), (100, 32, 3, 2), (100, 7, 160, 147), (65, 32, 2, 9), (700, 16, 1, 3)):
        yield {"taps": random.normal(size=taps).tolist(), "filters": filters, "interpolation": up, "decimation": down}


def limits(item_type):
    for count in (1024, 4096):
        yield {"taps": np.full(count, 1 / count).tolist(), "filters": 4, "interpolation": 3, "decimation": 4}


def _taps(parameters):
    """Return the taps of each filter, first tap first, and their differences to the next filter."""
    taps, filters = np.array(parameters["taps"], np.float32), parameters["filters"]
    length = -(-len(taps) // filters) * filters
    return [np.pad(of, (0, length - len(of))).astype(np.float64).reshape(-1, filters).T for of in (taps, np.diff(taps))]


def _resampled(parameters, x, arms):
    taps, steps = arms
    filters, up, down = (parameters[name] for name in ("filters", "interpolation", "decimation"))
    first = len(parameters["taps"]) // 2 % filters * up % (filters * down)
    place, rest = divmod(first + np.arange(len(x) // down * up) * (filters * down), up)
    item, arm = divmod(place, filters)
    padded, made = np.concatenate([np.zeros(taps.shape[1] - 1, x.dtype), x]), np.zeros(len(item), x.dtype)
    for k in range(taps.shape[1]):
        made += (taps[arm, k] + steps[arm, k] * (rest / up)) * padded[item + (taps.shape[1] - 1 - k)]
    return made
