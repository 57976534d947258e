"""Print which test caught each mutant of the runtime, as Markdown: `print_caught.py [RUNS]`. One build per mutant."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from spoilt_runtime import CHECKER, Build
from test_mutants import HANG_AFTER_S, MUTANTS, spoilt, verdict
from test_mutants import PROBE as CHAINS
from test_orders import CHECKED, EXECUTIONS, check
from test_orders import PROBE as ORDERS


def main(runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        build = Build(Path(folder))
        print(f"| mutant | `{CHAINS}.cpp`, {runs} runs |\n| --- | --- |")
        for mutant in MUTANTS:
            program = spoilt(build, mutant)
            verdicts = Counter(verdict(program, HANG_AFTER_S) for _ in range(runs))
            print(f"| `{mutant.name}` | {', '.join(f'{what} {n}' for what, n in verdicts.most_common())} |", flush=True)
        print("\n| weakened access | found by relacy in | spin finds it in |\n| --- | --- | --- |")
        with tempfile.TemporaryDirectory() as checked:
            program = Build(Path(checked), *CHECKER).whole(ORDERS)
            for access in CHECKED:
                found = check(program, access.check, str(EXECUTIONS), *access.place).stdout.splitlines()[-1].split()
                models = ", ".join(f"`{model}`" for model in access.models) or "–"
                print(f"| `{access.name}` | `{access.check}`, execution {int(found[1]):,} | {models} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
