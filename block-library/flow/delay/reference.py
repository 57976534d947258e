import numpy as np


def reference(parameters, inputs, item_type, context):
    x = inputs["in"]
    return {"out": np.concatenate([np.zeros(parameters["items"], x.dtype), x])[:len(x)]}


def cases(item_type, context):
    return [{"items": items} for items in (0, 1, 63, 1000, 100_000)]
