"""Interface between the engines and targets: the Python in a target's folder. Engines know no language."""
