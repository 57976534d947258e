// Former names of worker_schedule.hpp, for schedulers written for earlier versions.
#pragma once

#include "weir/worker_schedule.hpp"

namespace weir {

using Section = ScheduledWorker;
using Sections = WorkerSchedules;

inline void run_sections(Run& run, const Sections& sections) { run_worker_schedules(run, sections); }

}  // namespace weir
