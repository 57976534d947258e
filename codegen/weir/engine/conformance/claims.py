"""What a scheduler is held to, and which parts of the kit try it."""

from __future__ import annotations

from dataclasses import dataclass

#: Builds of the programs: each part runs in one of them. NONE: nothing is built.
ADDRESS, THREAD, NONE = "address", "thread", "none"
#: What a part tries: a scheduler that steps tasks, or one that runs what its planner has made beforehand.
TASKS, SCHEDULES = "tasks", "schedules"


@dataclass(frozen=True)
class Part:
    """One program run: `mode` of weir_conformance in the build `kind`. `name` is what --only takes.

    `seconds`: of random graphs; `rounds`: of the rest. `words`: how what was tried is put. Of SCHEDULES, `rounds`
    random graphs are planned, or planned, built and run.
    """

    name: str
    mode: str
    kind: str
    seconds: float
    rounds: int
    words: str
    of: str = TASKS

    @property
    def drawn(self) -> bool:
        """Whether its graphs are random ones, each with a seed."""
        return self.mode == "graphs" or self.of == SCHEDULES


#: What is tried, in this order: the quick and sure ones first.
PARTS = (
    Part("plans", "plans", NONE, 30, 300, "random graphs: {runs} of {cases} planned", SCHEDULES),
    Part("shapes", "shapes", ADDRESS, 0, 1, "small graphs: {cases} in {runs} runs"),
    Part("errors", "errors", ADDRESS, 0, 3, "graphs with blocks that fail: {cases} in {runs} runs"),
    Part("stops", "stops", ADDRESS, 0, 2, "graphs without an end: {cases} in {runs} runs"),
    Part("timers", "timers", ADDRESS, 0, 2, "graphs with waits: {cases} in {runs} runs"),
    Part("fairness", "fairness", ADDRESS, 0, 1, "loads on four pipes: {cases} in {runs} runs"),
    Part("graphs", "graphs", ADDRESS, 20, 1, "random graphs: {cases}"),
    Part("graphs", "scheduled_graphs", ADDRESS, 0, 8, "random graphs: {cases} in {runs} runs", SCHEDULES),
    Part("errors", "scheduled_errors", ADDRESS, 0, 8, "random graphs with blocks that fail: {cases} in {runs} runs",
         SCHEDULES),
    Part("stops", "scheduled_stops", ADDRESS, 0, 8, "random graphs without an end: {cases} in {runs} runs", SCHEDULES),
    Part("races", "shapes", THREAD, 0, 1, "{runs} runs"),
    Part("races", "errors", THREAD, 0, 1, "{runs} runs"),
    Part("races", "stops", THREAD, 0, 1, "{runs} runs"),
    Part("races", "timers", THREAD, 0, 1, "{runs} runs"),
    Part("races", "graphs", THREAD, 25, 1, "{runs} runs"),
    Part("races", "scheduled_graphs", THREAD, 0, 4, "{runs} runs", SCHEDULES),
    Part("races", "scheduled_errors", THREAD, 0, 4, "{runs} runs", SCHEDULES),
    Part("races", "scheduled_stops", THREAD, 0, 4, "{runs} runs", SCHEDULES),
)
#: How much more `--all` does.
THOROUGH = 12
PART_NAMES = tuple(dict.fromkeys(part.name for part in PARTS))
_WITH_RUNS = tuple(dict.fromkeys(part.name for part in PARTS if part.kind != NONE))


@dataclass(frozen=True)
class Claim:
    """`says`: what must be so. `parts`: those that try it; findings of any part may go against it.

    `of`: the kind of scheduler that it is for, "" for any; `otherwise`: why not for the other kind.
    """

    id: str
    says: str
    parts: tuple[str, ...]
    of: str = ""
    otherwise: str = ""


CLAIMS = (
    Claim("descriptor", "scheduler.json is valid", ()),
    Claim("header", "compiles alone without a warning, takes its parameters", ()),
    Claim("schedule", "a plan can be run, computes what the graph says, and is always the same", ("plans",), SCHEDULES,
          "it has no planner: its plans are Weir's own"),
    Claim("answers", "every sink gets what the reference says", ("shapes", "graphs")),
    Claim("liveness", "no run comes to a standstill", _WITH_RUNS),
    Claim("ending", "a run ends when all its tasks are done, not before", ("shapes", "graphs")),
    Claim("errors", "an error of a block stops the run, and is told", ("errors",)),
    Claim("stop", "a run that is told to stop does", ("stops", "graphs")),
    Claim("timers", "who asks to wait is called in time, and holds up nobody", ("timers",), TASKS,
          "blocks that ask to wait are in no schedule"),
    Claim("races", "no data race: a task is on one worker at a time", ("races",)),
    Claim("memory", "no crash, no wrong address, no undefined behaviour", _WITH_RUNS),
    Claim("fairness", "nobody that can go on starves", ("fairness",), TASKS,
          "a schedule says how often each block fires in a period"),
)
