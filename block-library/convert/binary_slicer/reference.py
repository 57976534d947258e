import numpy as np


def reference(parameters, inputs, item_type, context):
    return {"out": inputs["in"] >= 0}


def edges(item_type):
    return {"in": np.array([np.nan, -0.0, 0.0, np.inf, -np.inf], np.float32)}
