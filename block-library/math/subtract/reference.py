from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    n = min(len(inputs["in0"]), len(inputs["in1"]))
    return {"out": wide(inputs["in0"][:n]) - wide(inputs["in1"][:n])}
