"""Expressions of a flowgraph: parse them, evaluate them, and translate them to expressions of a project."""
