import numpy as np
from weir_reference import DTYPES


def reference(parameters, inputs, item_type, context):
    dimension, symbols = parameters["dimension"], np.array(parameters["symbols"], np.float32).view(DTYPES[item_type])
    table = np.zeros((256, dimension), symbols.dtype)
    listed = symbols[:table.size]
    table.ravel()[:len(listed)] = listed
    return {"out": table[inputs["in"]].ravel()}


def cases(item_type, context):
    return [{}, {"symbols": [-3, 0.1, 1, 3]}, {"symbols": list(range(20)), "dimension": 3},
            {"symbols": list(range(1200)), "dimension": 2}]
