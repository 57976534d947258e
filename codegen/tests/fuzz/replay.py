"""One input again: replay.py SUBJECT SEED, as a fault of the fuzzer names them."""

from __future__ import annotations

import random
import sys

from subjects import SUBJECTS
from world import World, base_folder


def main() -> None:
    name, seed = sys.argv[1:]
    with base_folder() as base:
        world = World.make(base)
        [subject] = [s for s in SUBJECTS if s.name == name]
        case = subject.make(random.Random(seed), world)
        print(case)
        subject.check(case, world)


if __name__ == "__main__":
    main()
