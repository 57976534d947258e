"""Run flowgraphs with the installed GNU Radio: each input line is a path of a .grc, each output line a JSON object.

A separate process, because an error in a flowgraph may end the process. A flowgraph that does not end within a minute
ends this one.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
from pathlib import Path

LONGEST_S = 60


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # output of GNU Radio is not an answer
    from gnuradio import gr
    from gnuradio.grc.core import Messages
    from gnuradio.grc.core.platform import Platform

    parts = (gr.major_version(), gr.api_version(), gr.minor_version())
    platform = Platform(name="", prefs=gr.prefs(), version=gr.version(), version_parts=parts)
    platform.build_library()
    said: list[str] = []
    Messages.register_messenger(said.append)
    for line in sys.stdin:
        file = Path(line.strip())
        os.chdir(file.parent)
        said.clear()
        signal.alarm(LONGEST_S)
        try:
            _, program = platform.load_and_generate_flow_graph(str(file), str(file.parent))
            if not program:
                raise RuntimeError("".join(said))
            [top] = [value for name, value in runpy.run_path(program, run_name="generated").items()
                     if name == file.stem]
            block = top()
            block.start()
            block.wait()
            answers.write(json.dumps({"version": gr.version()}) + "\n")
        except Exception as error:  # any exception of a flowgraph
            answers.write(json.dumps({"error": f"{type(error).__name__}: {error}"}) + "\n")
        signal.alarm(0)


main()
