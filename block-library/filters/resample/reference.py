import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    return {"out": _resampled(wide(inputs["in"]), parameters, lambda taps: taps)}


def magnitude(parameters, inputs, item_type, context):
    """Return the sums of magnitudes, scaled, because a sum in order rounds by up to half an ulp per tap."""
    sums = _resampled(np.abs(wide(inputs["in"])), parameters, np.abs)
    return {"out": sums * max(1, len(parameters["taps"]) / (parameters["phases"] or parameters["interpolation"]) / 16)}


def cases(item_type, context):
    random = np.random.default_rng(10)
    for taps, up, down, phases, offset in ((1, 1, 1, 0, 0), (33, 2, 3, 0, 1), (64, 5, 1, 0, 0), (40, 64, 7, 0, 6),
                                           (1024, 3, 8, 32, 17), (100, 7, 5, 16, 11.25), (9, 1, 2, 0, 7),
                                           (2500, 24, 25, 8, 0.5)):
        yield {"taps": random.normal(size=taps).tolist(), "interpolation": up, "decimation": down, "phases": phases,
               "offset": offset}


def _resampled(x, parameters, of_taps):
    up, down = parameters["interpolation"], parameters["decimation"]
    phases = parameters["phases"] or up
    taps = np.append(np.array(parameters["taps"], np.float32).astype(np.float64), [0.0, 0.0])
    way = np.arange(up) * phases * down
    beyond = np.fmod(parameters["offset"], phases * down / up) + way % up / up
    tap = way // up + np.floor(beyond).astype(np.int64)
    between = beyond - np.floor(beyond)
    arms = (len(taps) - 2 + phases - 1) // phases
    groups = len(x) // down
    at = (np.arange(groups)[:, np.newaxis] * down + tap // phases).ravel()
    padded = np.append(np.zeros(arms, x.dtype), x)
    made = np.zeros(groups * up, x.dtype)
    for k in range(arms):
        place = np.minimum(tap % phases + k * phases, len(taps) - 2)
        weight = (taps[place] + (taps[place + 1] - taps[place]) * between).astype(np.float32).astype(np.float64)
        made += np.tile(of_taps(weight), groups) * padded[at - k + arms]
    return made
