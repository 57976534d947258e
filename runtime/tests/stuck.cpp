#include "stuck.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "weir/watchdog.hpp"

namespace weir::testing {
namespace {

constexpr std::size_t kKernelKeeps = 15;  // bytes of a thread's name that Linux keeps

/// Reads one thread of this process. The name is empty if the thread has ended.
WorkerState read_thread(const std::filesystem::path& folder) {
    std::ifstream file(folder / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t open = line.find('('), close = line.rfind(')');
    if (open == std::string::npos || close == std::string::npos) return {};
    WorkerState thread{line.substr(open + 1, close - open - 1)};
    std::istringstream rest(line.substr(close + 1));
    rest >> thread.state;
    std::uint64_t ticks = 0;
    // Fields 4 to 15 of proc(5); the last two are user and system time.
    for (int field = 4; field <= 15; ++field) {
        std::string text;
        rest >> text;
        std::uint64_t value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        if (field >= 14) ticks += value;
    }
    thread.cpu_ms = 1000 * ticks / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
    return thread;
}

/// Describe a worker whose thread has ended although one of its blocks is not done; "" if there is none.
std::string left_too_early(const Run& run, std::span<const std::vector<std::size_t>> bound,
                           const std::vector<WorkerState>& workers) {
    for (std::size_t i = 0; i < bound.size(); ++i) {
        if (workers[i].state != 0) continue;
        for (const std::size_t place : bound[i]) {
            const Task& task = *run.tasks()[place];
            if (task.state() == StepStatus::done) continue;
            return workers[i].name + " has ended, but its block " + std::string(task.spec().name) + " is not done";
        }
    }
    return "";
}

/// Return the first task whose last step had this result; "" if there is none.
std::string one_with(const Run& run, StepStatus state) {
    for (const Task* task : run.tasks()) {
        if (task->state() == state) return std::string(task->spec().name);
    }
    return "";
}

std::string text_of(const std::vector<WorkerState>& before, const std::vector<WorkerState>& after) {
    std::string text = "workers:\n";
    for (std::size_t i = 0; i < after.size(); ++i) {
        const std::uint64_t ms = after[i].cpu_ms - std::min(after[i].cpu_ms, before[i].cpu_ms);
        text +=
            "  " + after[i].name + std::string(after[i].name.size() < 24 ? 24 - after[i].name.size() : 0, ' ') + " ";
        if (after[i].state == 0) text += "has ended\n";
        else if (after[i].state == 'R' || ms > 100)
            text += "runs, " + std::to_string(ms) + " ms of CPU time in the last second\n";
        else text += "is asleep\n";
    }
    return text;
}

}  // namespace

std::vector<WorkerState> worker_states(const Run& run) {
    std::vector<WorkerState> threads, workers;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", none)) {
        threads.push_back(read_thread(entry.path()));
    }
    for (const WorkerSpec& spec : run.plan().workers) {
        WorkerState worker{std::string(spec.name)};
        const auto thread = std::ranges::find(threads, spec.name.substr(0, kKernelKeeps), &WorkerState::name);
        if (thread != threads.end()) {
            worker.state = thread->state;
            worker.cpu_ms = thread->cpu_ms;
        }
        workers.push_back(std::move(worker));
    }
    return workers;
}

bool kept_from_cpu(const std::vector<WorkerState>& before, const std::vector<WorkerState>& after) {
    constexpr std::uint64_t kNextToNothingMs = 10;  // one clock tick
    for (std::size_t i = 0; i < after.size(); ++i) {
        if ((after[i].state == 'R' || after[i].state == 'D') && after[i].cpu_ms < before[i].cpu_ms + kNextToNothingMs)
            return true;
    }
    return false;
}

std::string at_work(const Run& run, const std::vector<WorkerState>& before, const std::vector<WorkerState>& after) {
    return text_of(before, after) + diagnosis_text(diagnose("", run.instances(), run.streams()));
}

Finding stuck(const Run& run, std::span<const std::vector<std::size_t>> bound, const std::vector<WorkerState>& before,
              const std::vector<WorkerState>& after) {
    Finding found{Claim::liveness, "stuck: no item moves any more"};
    if (const std::string failed = one_with(run, StepStatus::error); !failed.empty() && !run.stopping()) {
        found = {Claim::errors, "stuck: " + failed + " reported an error, but Run::fail was not called"};
    } else if (const std::string left = left_too_early(run, bound, after); !left.empty()) {
        found = {Claim::ending, "stuck: " + left};
    } else if (const std::string waits = one_with(run, StepStatus::wait); !waits.empty()) {
        found = {Claim::timers,
                 "stuck: no item moves any more, although " + waits + " requested a call at a certain time"};
    }
    found.text += "\n" + at_work(run, before, after);
    return found;
}

}  // namespace weir::testing
