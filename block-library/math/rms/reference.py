import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    alpha, power = parameters["alpha"], 0.0
    powers = np.abs(wide(inputs["in"])) ** 2
    for n, newest in enumerate(powers):
        power = powers[n] = (1 - alpha) * power + alpha * newest
    return {"out": np.sqrt(powers)}


def cases(item_type, context):
    return [{}, {"alpha": 0.0}, {"alpha": 0.3}, {"alpha": 1.0}]
