// Thread that supervises a run: time-out, stall, Ctrl-C, progress.
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
    double grace_s = 2.0;            ///< time that the workers have to stop after the request
    std::span<Instance* const> instances;
    std::span<StreamBase* const> streams;
    std::function<void()> stop;                    ///< requests the workers to stop
    std::function<std::int64_t()>
        began_ns;  ///< time at which items begin to flow; 0: not yet, as while memory is touched
    std::function<void(double flowing_s)> tick;  ///< about five times a second; may be empty
    /// Called if the workers do not stop. Must not return, because they may still use any memory.
    std::function<void(Ending, const WatchdogResult&)> give_up;
};

/// SIGINT and SIGTERM belong to the watchdog from its construction to `finish`, also in threads started in between. The
/// first signal stops the run, the second kills the process.
class Watchdog {
  public:
    explicit Watchdog(WatchdogSpec spec);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// End the watchdog after the workers have left. Returns how the run ended.
    Ending finish();
    /// Return the state just before the stop request. Only after `finish`; blocks are empty if there was no request.
    const WatchdogResult& seen() const noexcept;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Return each block's state and the blocks it waits for, and each stream's fill. Any thread; momentary values.
WatchdogResult diagnose(std::string cause, std::span<Instance* const> tasks, std::span<StreamBase* const> streams);

/// Format the state for people, one line per block and stream.
std::string diagnosis_text(const WatchdogResult& seen);

}  // namespace weir
