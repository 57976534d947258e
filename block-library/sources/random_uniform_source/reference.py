from itertools import islice

import numpy as np
from weir_reference import DTYPES, xoroshiro


def reference(parameters, inputs, item_type, context):
    span = parameters["maximum"] - parameters["minimum"]
    products = (word * span for word in xoroshiro(parameters["seed"]))
    drawn = (product >> 64 for product in products if product % 2**64 >= 2**64 % span)
    items = parameters["minimum"] + np.fromiter(islice(drawn, context.items), np.int64, context.items)
    return {"out": items.astype(DTYPES[item_type])}


def cases(item_type, context):
    return [{}, {"minimum": -100, "maximum": 1000, "seed": 42}, {"minimum": -2**31, "maximum": 2**31, "seed": 3}]
