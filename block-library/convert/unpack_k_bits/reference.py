import numpy as np


def reference(parameters, inputs, item_type, context):
    return {"out": (inputs["in"][:, None] >> np.arange(parameters["k"] - 1, -1, -1) & 1).ravel()}


def cases(item_type, context):
    return [{"k": k} for k in (1, 3, 7, 8)]
