"""The project file: parsed strictly, checked against its schema, expressions evaluated."""
