import numpy as np


def reference(parameters, inputs, item_type, context):
    x, vector = inputs["in"], parameters["vector"]
    return {"out": np.repeat(x[:len(x) // vector * vector].reshape(-1, vector), parameters["n"], axis=0).ravel()}


def cases(item_type, context):
    return [{"n": n} for n in (1, 2, 17, 100)] + [{"n": 3, "vector": 64}, {"vector": 5}]
