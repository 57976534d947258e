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


def _parts(parameters, inputs):
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithm = np.log10(inputs["in"].astype(np.float64))
    return float(np.float32(parameters["n"])) * logarithm, float(np.float32(parameters["k"]))
