import numpy as np


def reference(parameters, inputs, item_type, context):
    return {"out": (np.diff(inputs["in"].astype(np.int64), prepend=0) + parameters["offset"]) % parameters["modulus"]}


def cases(item_type, context):
    return [{}, {"modulus": 4}, {"modulus": 256}, {"modulus": 3, "offset": 255}, {"offset": 1}, {"modulus": 1}]
