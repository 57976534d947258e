import numpy as np


def reference(parameters, inputs, item_type, context):
    n, m = parameters["n"], parameters["m"]
    groups = inputs["in"][:len(inputs["in"]) // n * n].reshape(-1, n)
    turn = np.arange(m)
    with np.errstate(over="ignore"):
        return {"out": (groups[:, turn * n // m] + turn.astype(groups.dtype)).ravel()}
