"""Prints what caught each mutant of the runtime, as Markdown: `print_caught.py [RUNS]`. Takes a build a mutant."""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path

from seq_cst_accesses import MUTANTS as WEAKENED
from spoilt_runtime import Build
from test_mutants import HANG_AFTER_S, MUTANTS, spoilt, verdict
from test_mutants import PROBE as CHAINS
from test_orders import PATIENCE, missed_in
from test_orders import PROBE as LITMUS


def main(runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        build = Build(Path(folder))
        print(f"| mutant | `{CHAINS}.cpp`, {runs} runs |\n| --- | --- |")
        for mutant in MUTANTS:
            program = spoilt(build, mutant)
            verdicts = Counter(verdict(program, HANG_AFTER_S) for _ in range(runs))
            print(f"| `{mutant.name}` | {', '.join(f'{what} {n}' for what, n in verdicts.most_common())} |", flush=True)
        print(f"\n| weakened store | case of `{LITMUS}.cpp`, {runs} runs | missed in round: median, most "
              "| spin finds it in |\n| --- | --- | --- | --- |")
        for access in WEAKENED:
            program = build.spoilt(LITMUS, access.name, access.weakened)
            for case in access.litmus:
                rounds = [missed_in(program, case, PATIENCE) for _ in range(runs)]
                caught = [n for n in rounds if n]
                when = f"{statistics.median_low(caught):,}, {max(caught):,}" if caught else "–"
                models = ", ".join(f"`{model}`" for model in access.models)
                print(f"| `{access.name}` | `{case}` {len(caught)} | {when} | {models} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
