// Looks after a run from a thread of its own: time-out, stall, Ctrl-C, progress.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "weir/results.hpp"
#include "weir/task.hpp"

namespace weir {

enum class Ending : std::uint8_t { finished, interrupted, timed_out, stalled };

struct WatchdogSpec {
    double timeout_s = 60.0;         ///< from the watchdog's construction
    double stall_s = 5.0;            ///< while items flow; 0: never
    double grace_s = 2.0;            ///< for the workers to come back once they were told to stop
    std::span<Instance* const> instances;
    std::span<StreamBase* const> streams;
    std::function<void()> stop;                    ///< tells the workers
    std::function<std::int64_t()> began_ns;  ///< since when items flow; 0: not yet, memory is still touched, say
    std::function<void(double flowing_s)> tick;  ///< about five times a second; may be empty
    /// The workers did not come back. Must not return: they may hold anything.
    std::function<void(Ending, const WatchdogResult&)> give_up;
};

/// SIGINT and SIGTERM belong to the watchdog from its construction to `finish`; threads started in between inherit that.
/// The first stops the run, the second kills the process.
class Watchdog {
  public:
    explicit Watchdog(WatchdogSpec spec);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// The workers have left. Returns how the run ended.
    Ending finish();
    /// What was seen just before the workers were told to stop. Only after `finish`; blocks are empty when they were not.
    const WatchdogResult& seen() const noexcept;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Each block's state and whom it waits for, each stream's fill. Any thread, a moment's truth.
WatchdogResult diagnose(std::string cause, std::span<Instance* const> tasks, std::span<StreamBase* const> streams);

/// The same for a person, a line a block and a line a stream.
std::string diagnosis_text(const WatchdogResult& seen);

}  // namespace weir
