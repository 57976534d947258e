def reference(parameters, inputs, item_type, context):
    n = min(map(len, inputs.values()))
    return {"out": 3 * inputs["a"][:n].astype("u8") + inputs["b"][:n].astype("u8")}
