"""A sweep with all that it takes to repeat it, in one file: packed here, checked and judged elsewhere."""
