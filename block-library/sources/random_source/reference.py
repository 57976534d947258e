import numpy as np
from weir_reference import DTYPES, indices, mix64


def reference(parameters, inputs, item_type, context):
    word = mix64(indices(context.items), np.full(context.items, context.seed, np.uint64))
    if item_type == "f32":
        return {"out": _unit(word, 40)}
    if item_type == "c64":
        return {"out": _unit(word, 40) + 1j * _unit(word, 16)}
    dtype = DTYPES[item_type]
    return {"out": (word >> np.uint64(64 - 8 * dtype.itemsize)).astype(f"<u{dtype.itemsize}").view(dtype)}


def _unit(word, shift):
    bits = (word >> np.uint64(shift) & np.uint64(0xFFFFFF)).astype(np.int64)
    return (bits - 2**23) / 2.0**23
