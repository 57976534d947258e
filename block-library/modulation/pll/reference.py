import numpy as np
from weir_reference import phase_lock, phasor, wide


def reference(parameters, inputs, item_type, context):
    x = wide(inputs["in"])
    turns = np.array([phasor(phase) for phase, _ in phase_lock(parameters, inputs["in"])], complex)
    return {"out": turns if parameters["output"] == "carrier" else x * np.conj(turns)}


def magnitude(parameters, inputs, item_type, context):
    x = np.abs(wide(inputs["in"]))
    return {"out": np.ones_like(x) if parameters["output"] == "carrier" else x}


def cases(item_type, context):
    return [{"output": output, "bandwidth": width, "min_frequency": low, "max_frequency": high}
            for output, width, low, high in (("baseband", 0.0628, -1.0, 1.0), ("carrier", 0.3, -3.0, 0.1))]
