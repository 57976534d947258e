from weir_reference import digest


def reference(parameters, inputs, item_type, context):
    return {"digest": digest(inputs["in"])}
