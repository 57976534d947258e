"""Run one command inside an LTTng recording: traced_run.py EVENTS OUT COMMAND… prints the number of discarded events.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lttng_world import recorded
from weir.engine.measuring.lttng import Session


def main() -> int:
    events, out, command = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    with Session(f"differential-{out.name}", out / "trace", predicted_events=events) as session:
        code = recorded(session, *command).wait()
    print(f"discarded: {session.outcome.discarded} {session.outcome.failure}".strip())
    return code


if __name__ == "__main__":
    sys.exit(main())
