from weir_reference import counter_pattern


def reference(parameters, inputs, item_type, context):
    return {"out": counter_pattern(context.items, item_type)}


def cases(item_type, context):
    return [{"rate": 1e9}, {"rate": 1e9, "burst_items": 1000}]
