import numpy as np
from weir_reference import DTYPES


def reference(parameters, inputs, item_type, context):
    return {"out": np.full(context.items, 1 + 1j if item_type == "c64" else 1, DTYPES[item_type])}
