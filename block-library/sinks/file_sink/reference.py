def reference(parameters, inputs, item_type, context):
    return {"path": inputs["in"].tobytes()}


def cases(item_type, context):
    return [{"path": f"out.{item_type}"}, {"path": f"folder/of/out.{item_type}"}]
