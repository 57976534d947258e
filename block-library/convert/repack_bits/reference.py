import numpy as np


def reference(parameters, inputs, item_type, context):
    k, l = parameters["k"], parameters["l"]  # noqa: E741 - the names of the parameters
    places = np.arange(8) if parameters["order"] == "lsb_first" else None
    taken, given = ((places[:n] if places is not None else np.arange(n - 1, -1, -1)) for n in (k, l))
    bits = (inputs["in"][:, None] >> taken & 1).ravel()
    return {"out": (bits[:len(bits) // (k * l) * k * l].reshape(-1, l) << given).sum(axis=1)}


def cases(item_type, context):
    for order in ("lsb_first", "msb_first"):
        for k, l in ((8, 1), (1, 8), (8, 4), (3, 5), (7, 8)):  # noqa: E741
            yield {"k": k, "l": l, "order": order}
