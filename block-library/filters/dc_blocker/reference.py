import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    x = wide(inputs["in"])
    pole = np.exp(-2 * np.pi * parameters["cutoff"] / parameters["sample_rate"])
    y, last = np.empty_like(x), 0.0
    for n, step in enumerate(np.diff(x, prepend=0)):
        last = y[n] = step + pole * last
    return {"out": y}


def magnitude(parameters, inputs, item_type, context):
    x, y = wide(inputs["in"]), reference(parameters, inputs, item_type, context)["out"]
    later = [np.concatenate([[0], np.abs(a[:-1])]) for a in (x, y)]
    return {"out": np.abs(x) + sum(later)}


def cases(item_type, context):
    return [{}, {"sample_rate": 1e6, "cutoff": 1.0}, {"sample_rate": 1000.0, "cutoff": 300.0}, {"cutoff": 0.0}]
