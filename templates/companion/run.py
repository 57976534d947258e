#!/usr/bin/python3
"""Run a program that GNU Radio Companion made, with blocks mapped onto CPUs and every block measured.

    run.py PROGRAM.py MAPPING.json --out DIR

docs/run-protocol.md explains the options and the exit codes. The program is executed as it is: whoever starts this has
decided to trust it.
"""

import os
import signal
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))

if __name__ == "__main__":
    # Until the flowgraph starts, Ctrl-C ends this at once: an import would report a failure, and a constructor in C++
    # would ignore it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.path.insert(0, FOLDER)
    from weir_companion.main import main

    sys.path.remove(FOLDER)  # the program imports modules of its own folder, which may have the same names
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # does not wait for a thread that hangs, or for destructors of windows
