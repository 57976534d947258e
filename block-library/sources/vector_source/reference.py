import numpy as np
from weir_reference import DTYPES


def reference(parameters, inputs, item_type, context):
    values, dtype = parameters["values"], DTYPES[item_type]
    if dtype.kind in "fc":
        items = np.array(values, np.float32).view(dtype)
    else:
        items = np.array(values, np.float32).astype(np.int64).astype(dtype)
    return {"out": np.resize(items, context.items) if parameters["repeat"] else items[:context.items]}


def cases(item_type, context):
    values = np.random.default_rng(6).integers(0, 127, 2000).tolist()
    return [{}, {"values": values}, {"values": values[:14], "repeat": True}, {"values": values, "repeat": True}]
