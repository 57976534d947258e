def reference(parameters, inputs, item_type, context):
    return {"out": inputs["in"]}
