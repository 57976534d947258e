"""Repeat one input: replay.py TARGET SEED, as in the fuzzer's report of a fault."""

from __future__ import annotations

import random
import sys

from fuzz_targets import FUZZ_TARGETS
from world import World, base_folder


def main() -> None:
    name, seed = sys.argv[1:]
    with base_folder() as base:
        world = World.make(base)
        [target] = [s for s in FUZZ_TARGETS if s.name == name]
        case = target.make(random.Random(seed), world)
        print(case)
        target.check(case, world)


if __name__ == "__main__":
    main()
