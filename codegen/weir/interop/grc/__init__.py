"""Flowgraphs of GNU Radio Companion (`.grc`): read into projects, and written from them.

    reading <- expressions <- importing <- exporting

Nothing of a file is ever executed: YAML is read as events (`reading.yaml_text`), expressions are parsed by `ast`
and evaluated here (`expressions`). `table` (blocks.json) maps blocks in both directions.
"""
