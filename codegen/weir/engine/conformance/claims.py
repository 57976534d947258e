"""Claims that a scheduler must satisfy, and the parts of the kit that test each of them."""

from __future__ import annotations

from dataclasses import dataclass

#: Sanitizer builds of the programs; each part runs in one of them. NONE: the part builds nothing.
ADDRESS, THREAD, NONE = "address", "thread", "none"
#: Kinds of scheduler that a part tests: one that steps tasks, or one that runs a schedule from its planner.
TASKS, SCHEDULES = "tasks", "schedules"


@dataclass(frozen=True)
class Part:
    """One program run: `mode` of weir_conformance in the build `kind`. `name` is the value for --only.

    `seconds` limits the random graphs, `rounds` the other modes. `words` is the template of the summary. With
    SCHEDULES, `rounds` is the number of random graphs to plan, or to plan, build and run.
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
        """Return whether the part draws random graphs, each from a seed."""
        return self.mode == "graphs" or self.of == SCHEDULES


#: Order of the parts: quick and reliable ones first.
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
#: Factor by which `--all` lengthens each part.
THOROUGH = 12
PART_NAMES = tuple(dict.fromkeys(part.name for part in PARTS))
_WITH_RUNS = tuple(dict.fromkeys(part.name for part in PARTS if part.kind != NONE))


@dataclass(frozen=True)
class Claim:
    """One requirement on schedulers. `says` states it; `parts` test it, and any part may find a violation.

    `of` is the kind of scheduler that must satisfy it, "" for any. `otherwise` says why the other kind is exempt.
    """

    id: str
    says: str
    parts: tuple[str, ...]
    of: str = ""
    otherwise: str = ""


CLAIMS = (
    Claim("descriptor", "scheduler.json is valid", ()),
    Claim("header", "compiles by itself without warnings and accepts its parameters", ()),
    Claim("schedule", "a plan runs, computes what the graph specifies, and is reproducible", ("plans",), SCHEDULES,
          "this scheduler has no planner: Weir makes its plans"),
    Claim("answers", "every sink receives the items that the reference computes", ("shapes", "graphs")),
    Claim("liveness", "no run stalls", _WITH_RUNS),
    Claim("ending", "a run ends when all its tasks are done, not before", ("shapes", "graphs")),
    Claim("errors", "an error of a block stops the run and is reported", ("errors",)),
    Claim("stop", "a run stops when it is asked to", ("stops", "graphs")),
    Claim("timers", "a block that asks to wait is called in time and delays no other block", ("timers",), TASKS,
          "blocks that ask to wait cannot be scheduled in advance"),
    Claim("races", "no data race: a task runs on one worker at a time", ("races",)),
    Claim("memory", "no crash, no invalid memory access, no undefined behaviour", _WITH_RUNS),
    Claim("fairness", "no block that can run starves", ("fairness",), TASKS,
          "the schedule fixes how often each block fires in a period"),
)
