import json

import numpy as np

TYPES = [("f32", "f4"), ("f64", "f8"), ("i32", "i4"), ("i16", "i2"), ("u32", "u4"), ("u16", "u2")]
DTYPES = {name + order: np.dtype(sign + kind) for name, kind in TYPES for order, sign in (("_le", "<"), ("_be", ">"))}
DTYPES |= {"i8": np.dtype("i1"), "u8": np.dtype("u1")}


def reference(parameters, inputs, item_type, context):
    base = str(context.project_dir / parameters["path"]).removesuffix(".sigmf-meta").removesuffix(".sigmf-data")
    with open(base + ".sigmf-meta", encoding="utf-8-sig") as file:
        metadata = json.load(file)
    datatype, offset = metadata["global"]["core:datatype"], metadata["global"].get("core:offset", 0)
    before = next(iter(metadata.get("captures", [])), {}).get("core:sample_start", offset) - offset
    dtype = DTYPES[datatype[1:]]
    numbers = np.fromfile(base + ".sigmf-data", dtype).astype(np.float64)
    if dtype.kind in "iu":
        full = 2.0 ** (8 * dtype.itemsize - 1)
        numbers = (numbers - (full if dtype.kind == "u" else 0)) / full
    items = numbers.view(np.complex128) if item_type == "c64" else numbers
    items = items[int(before) + parameters["offset_items"]:]
    return {"out": np.resize(items, context.items) if parameters["repeat"] else items[:context.items]}


def cases(item_type, context):
    random = np.random.default_rng(6)
    for name, dtype in DTYPES.items():
        datatype = ("c" if item_type == "c64" else "r") + name
        bits = random.integers(0, 256, 8000 * dtype.itemsize, np.uint8)
        numbers = random.normal(size=8000).astype(dtype) if dtype.kind == "f" else bits
        numbers.tofile(context.project_dir / f"{datatype}.sigmf-data")
        (context.project_dir / f"{datatype}.sigmf-meta").write_text(json.dumps(
            {"global": {"core:datatype": datatype, "core:sample_rate": 48e3}, "captures": [], "annotations": []}))
        (context.project_dir / f"{datatype}.late.sigmf-meta").write_bytes(b"\xef\xbb\xbf" + json.dumps(
            {"captures": [{"core:sample_start": 41}, {"core:sample_start": 50}],
             "global": {"core:datatype": datatype, "core:offset": 1}}).encode())
        numbers.tofile(context.project_dir / f"{datatype}.late.sigmf-data")
        yield {"path": f"{datatype}.sigmf-data", "sample_rate": 48000.0}
        yield {"path": f"{datatype}.late.sigmf-data", "offset_items": 2}
        yield {"path": f"{datatype}.sigmf-meta", "offset_items": 100, "repeat": True}
