"""What a scheduler is held to, and which parts of the kit try it."""

from __future__ import annotations

from dataclasses import dataclass

#: Builds of the programs: each part runs in one of them.
ADDRESS, THREAD = "address", "thread"


@dataclass(frozen=True)
class Part:
    """One program run: `mode` of weir_conformance in the build `kind`. `name` is what --only takes.

    `seconds`: of random graphs; `rounds`: of the rest. `runs`, `cases`: how what was tried is put.
    """

    name: str
    mode: str
    kind: str
    seconds: float
    rounds: int
    words: str


#: What is tried, in this order: the quick and sure ones first.
PARTS = (
    Part("shapes", "shapes", ADDRESS, 0, 1, "small graphs: {runs} runs of {cases}"),
    Part("errors", "errors", ADDRESS, 0, 3, "faults of blocks: {runs} runs of {cases}"),
    Part("stops", "stops", ADDRESS, 0, 2, "endless graphs: {runs} runs of {cases}"),
    Part("timers", "timers", ADDRESS, 0, 2, "graphs with waits: {runs} runs of {cases}"),
    Part("fairness", "fairness", ADDRESS, 0, 1, "four pipes: {runs} runs of {cases} loads"),
    Part("graphs", "graphs", ADDRESS, 20, 1, "random graphs: {cases}"),
    Part("races", "shapes", THREAD, 0, 1, "{runs} runs"),
    Part("races", "errors", THREAD, 0, 1, "{runs} runs"),
    Part("races", "stops", THREAD, 0, 1, "{runs} runs"),
    Part("races", "timers", THREAD, 0, 1, "{runs} runs"),
    Part("races", "graphs", THREAD, 25, 1, "{runs} runs"),
)
#: How much more `--all` does.
THOROUGH = 12
PART_NAMES = tuple(dict.fromkeys(part.name for part in PARTS))


@dataclass(frozen=True)
class Claim:
    """`says`: what must be so. `parts`: those that try it; findings of any part may go against it."""

    id: str
    says: str
    parts: tuple[str, ...]


CLAIMS = (
    Claim("descriptor", "scheduler.json is valid", ()),
    Claim("header", "compiles alone without a warning, takes its parameters", ()),
    Claim("answers", "every sink gets what the reference says", ("shapes", "graphs")),
    Claim("liveness", "no run comes to a standstill", PART_NAMES),
    Claim("ending", "a run ends when all its tasks are done, not before", ("shapes", "graphs")),
    Claim("errors", "an error of a block stops the run, and is told", ("errors",)),
    Claim("stop", "a run that is told to stop does", ("stops", "graphs")),
    Claim("timers", "who asks to wait is called in time, and holds up nobody", ("timers",)),
    Claim("races", "no data race: a task is on one worker at a time", ("races",)),
    Claim("memory", "no crash, no wrong address, no undefined behaviour", PART_NAMES),
    Claim("fairness", "nobody that can go on starves", ("fairness",)),
)
