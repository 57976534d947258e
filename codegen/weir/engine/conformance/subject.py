"""Generate the C++ file of the scheduler under test: the kit is the rest of the program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from weir.engine.generation.cpp.text import cpp_string
from weir.engine.generation.cpp.values import parameter_limits, parameter_value, scheduler_class
from weir.model.catalog import SchedulerType
from weir.model.document.item_types import Parameter


def header_of(scheduler: SchedulerType) -> Path:
    """Return the path of its C++ header, which may be missing."""
    return scheduler.code_folder / f"{scheduler.code_of}.hpp"


def header_alone(scheduler: SchedulerType) -> str:
    """Return a source that includes only the header, twice."""
    include = f'#include "{scheduler.code_of}/{scheduler.code_of}.hpp"\n'
    return include + include


def subject(scheduler: SchedulerType) -> str:
    """Return `scheduler_under_test` in C++: the descriptor's data, and how to run it with a deployment's parameters."""
    own, owner = scheduler.fields, scheduler_class(scheduler)
    deployed = ", ".join(f".{p.id} = {parameter_value(p, p.default, owner, None)}" for p in own if not p.required)
    lines = [
        f'#include "{scheduler.code_of}/{scheduler.code_of}.hpp"',
        "", "#include <array>", "", '#include "scheduler_row.hpp"', '#include "weir/digest.hpp"', "",
        f"static_assert(weir::Scheduler<{owner}>, \"{scheduler.id} has run(weir::Run&)\");", "",
        "namespace weir::testing {",
        "const SchedulerRow& scheduler_under_test();", "",
        "const SchedulerRow& scheduler_under_test() {",
        "    static constexpr WaitPolicy kWaits[] = {" + ", ".join(f"WaitPolicy::{w}" for w in scheduler.wait) + "};",
        "    static constexpr SchedulerRow kRow{",
        f"        .id = {cpp_string(scheduler.id)}, .workers = {cpp_string(scheduler.workers)},"
        f" .jobs = {cpp_string(scheduler.jobs)},",
        "        .run = [](Run& run, [[maybe_unused]] std::uint64_t drawn) {",
        f"            {owner} scheduler;",
        *([f"            scheduler.params = {{{deployed}}};"] if deployed else []),
        *_draws(own, owner),
        "            scheduler.run(run);",
        "        },",
        f"        .waits = kWaits, .max_workers = {scheduler.max_workers}}};",
        "    return kRow;",
        "}", "",
        "}  // namespace weir::testing", "",
    ]
    return "\n".join(lines)


def scheduled(scheduler: SchedulerType) -> str:
    """Return a source that uses the class like a program with a schedule: `run`, parameters and construction."""
    own, owner = scheduler.fields, scheduler_class(scheduler)
    deployed = ", ".join(f".{p.id} = {parameter_value(p, p.default, owner, None)}" for p in own if not p.required)
    return "\n".join([
        f'#include "{scheduler.code_of}/{scheduler.code_of}.hpp"',
        "", '#include "weir/param.hpp"', '#include "weir/worker_schedule.hpp"', "",
        f"static_assert(weir::WorkerScheduleRunner<{owner}> || weir::Scheduler<{owner}>,",
        f'              "{scheduler.id} has run(weir::Run&, const weir::WorkerSchedules&)");', "",
        f"struct Deployed : {owner} {{",
        "    Deployed() {",
        *([f"        params = {{{deployed}}};"] if deployed else []),
        *(f"        params.{p.id} = {parameter_value(p, value, owner, None)};" for p in own for value in _choices(p)),
        *(f"        static_cast<void>(params.{p.id});" for p in own if p.required),
        "    }",
        "    void parameters([[maybe_unused]] weir::ParamTable& table) {",
        *(f"        table.add({cpp_string(f'scheduler.{p.id}')}, params.{p.id}{_limits(p)});"
          for p in own if not p.structural),
        "    }",
        "};",
        "[[maybe_unused]] static const Deployed deployed{};", ""])


def _limits(parameter: Parameter) -> str:
    limits = parameter_limits(parameter, None)
    return f", {limits}" if limits else ""


def _draws(parameters: Sequence[Parameter], owner: str) -> list[str]:
    lines = []
    for place, parameter in enumerate(parameters):
        values = [parameter_value(parameter, value, owner, None) for value in _choices(parameter)]
        if len(values) < 2:
            continue
        name = f"scheduler.params.{parameter.id}"
        lines += ["            if (drawn != 0) {",
                  f"                {name} = std::array<decltype({name}), {len(values)}>{{{', '.join(values)}}}"
                  f"[splitmix64(drawn + {place}) % {len(values)}];",
                  "            }"]
    return lines


def _choices(parameter: Parameter) -> list[object]:
    """Return the default and the limits of a parameter, [] if they are unknown."""
    if parameter.required:
        return []
    if parameter.type == "bool":
        return [False, True]
    if parameter.type == "enum":
        return list(parameter.options)
    if parameter.type in ("i64", "f32", "f64"):
        ends = (parameter.minimum, parameter.maximum)
        return list(dict.fromkeys([parameter.default, *(end for end in ends if end is not None)]))
    return []
