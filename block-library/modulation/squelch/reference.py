import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    alpha, power = parameters["alpha"], 0.0
    x = inputs["in"]
    powers = wide(x).real ** 2 + wide(x).imag ** 2
    for n, newest in enumerate(powers):
        power = powers[n] = alpha * newest + (1 - alpha) * power
    return {"out": np.where(powers > 10.0 ** (parameters["threshold"] / 10), x, np.zeros(1, x.dtype))}


def cases(item_type, context):
    return [{}, {"threshold": 0, "alpha": 0.1}, {"threshold": -1.5, "alpha": 1.0}, {"threshold": -300, "alpha": 0.0}]
