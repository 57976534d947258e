import numpy as np


def reference(parameters, inputs, item_type, context):
    return {"out": inputs["in"].view(np.int8)}
