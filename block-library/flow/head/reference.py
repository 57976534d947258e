def reference(parameters, inputs, item_type, context):
    return {"out": inputs["in"][:parameters["items"] or context.run_items or None]}


def cases(item_type, context):
    return [{}, {"items": 1}, {"items": 1000}]
