import numpy as np
from weir_reference import WORDS_PER_RAD, phase_lock


def reference(parameters, inputs, item_type, context):
    return {"out": np.array([frequency / WORDS_PER_RAD for _, frequency in phase_lock(parameters, inputs["in"])])}


def cases(item_type, context):
    return [{"bandwidth": width, "min_frequency": low, "max_frequency": high}
            for width, low, high in ((0.0628, -1.0, 1.0), (0.3, -3.0, 0.1))]
