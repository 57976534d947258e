"""Start Weir: `python3 -I codegen/weir/__main__.py VERB`, as the launcher does, or `python3 -m weir VERB`."""

import os
import sys


def start() -> int:
    """Run a verb. A start by path finds the modules of Weir and of Python before any others."""
    if not __package__:
        sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        # The user's planners and targets may need modules of PYTHONPATH. Relative entries are left out, because the
        # current folder may be a stranger's.
        sys.path += filter(os.path.isabs, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    from weir.cli import main

    return main()


sys.exit(start())
