"""Starts Weir: `python3 -I codegen VERB` finds its modules, and those of Python, before any others."""

import os
import sys


def start() -> int:
    """Runs a verb. Planners and targets of the user's may import what PYTHONPATH has, after everything of ours."""
    sys.path += [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(entry)]
    from weir.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(start())
