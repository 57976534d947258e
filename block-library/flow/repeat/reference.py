import numpy as np


def reference(parameters, inputs, item_type, context):
    return {"out": np.repeat(inputs["in"], parameters["n"])}


def cases(item_type, context):
    return [{"n": n} for n in (1, 2, 17, 100)]
