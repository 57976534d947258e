from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    x = wide(inputs["in"])
    return {"out": x.real**2 + x.imag**2}
