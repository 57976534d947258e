from weir_reference import counter_pattern


def reference(parameters, inputs, item_type, context):
    return {"out": counter_pattern(context.items, item_type)}
