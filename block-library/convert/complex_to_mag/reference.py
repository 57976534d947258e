import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    return {"out": np.abs(wide(inputs["in"]))}
