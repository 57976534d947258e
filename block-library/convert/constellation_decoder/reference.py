import numpy as np


def reference(parameters, inputs, item_type, context):
    symbols, x = np.array(parameters["symbols"], np.float32).view(np.complex64), inputs["in"]
    with np.errstate(invalid="ignore", over="ignore"):
        apart = [(x.real - it.real) ** 2 + (x.imag - it.imag) ** 2 for it in symbols]
    return {"out": np.argmin(apart, axis=0)}


def edges(item_type):
    return {"in": np.array([np.nan, 0, 1e30, np.inf, -1 - 1j, 0.5 + 0.5j], np.complex64)}


def cases(item_type, context):
    random = np.random.default_rng(4)
    return [{}, {"symbols": [-1, -1, 1, -1, -1, 1, 1, 1]}, {"symbols": random.normal(size=512).tolist()}]
