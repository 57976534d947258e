import numpy as np
from weir_reference import DTYPES


def reference(parameters, inputs, item_type, context):
    items = np.fromfile(context.project_dir / parameters["path"], DTYPES[item_type])[parameters["offset_items"]:]
    if parameters["repeat"]:
        return {"out": np.resize(items, context.items)}
    return {"out": items[:context.items]}


def cases(item_type, context):
    random = np.random.default_rng(5)
    for items in (1, 777, 100_000):
        name = f"{items}.{item_type}"
        random.integers(0, 256, items * DTYPES[item_type].itemsize, np.uint8).tofile(context.project_dir / name)
        yield {"path": name}
        yield {"path": name, "repeat": True, "offset_items": items // 3}
