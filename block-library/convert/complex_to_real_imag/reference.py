def reference(parameters, inputs, item_type, context):
    return {"real": inputs["in"].real, "imag": inputs["in"].imag}
