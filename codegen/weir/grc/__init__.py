"""Flowgraphs of GNU Radio Companion (`.grc`): read into projects, and written from them.

Nothing of a file is ever executed: YAML is read as events (`yaml_text`), expressions by a parser of our own
(`expressions`). `blocks.json` says which block stands for which, both ways.
"""
