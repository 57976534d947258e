import numpy as np


def reference(parameters, inputs, item_type, context):
    logarithm, k = _parts(parameters, inputs)
    return {"out": logarithm + k}


def magnitude(parameters, inputs, item_type, context):
    logarithm, k = _parts(parameters, inputs)
    return {"out": np.abs(logarithm) + abs(k)}


def edges(item_type):
    return {"in": np.array([0.0, 1.0, np.inf, np.nan, 1e-45, 1e-40, 3.4e38, 0.99999994, 1.0000001], np.float32)}


def cases(item_type, context):
    yield {}
    yield {"n": 10, "k": -174.3}
    yield {"n": 10, "floor": 1.1754943508222875e-38}


def _parts(parameters, inputs):
    with np.errstate(divide="ignore", invalid="ignore"):
        x, floor = inputs["in"].astype(np.float64), float(np.float32(parameters["floor"]))
        logarithm = np.log10(np.where(x < floor, floor, x))
    return float(np.float32(parameters["n"])) * logarithm, float(np.float32(parameters["k"]))
