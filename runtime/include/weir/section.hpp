// A worker's way through its section of a schedule that was made beforehand. The generator writes the loops; here is what they
// need: when to go on, and how to wait for another worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "weir/run.hpp"
#include "weir/wait.hpp"

namespace weir {

class Section {
  public:
    explicit Section(Worker& worker) noexcept
        : run_(worker.run), tasks_(worker.spec->tasks), running_(worker.spec->tasks.size()),
          waiting_(worker.run->plan().wait, *worker.events, worker.log, static_cast<std::uint32_t>(worker.index)) {}

    /// Whether there is another period: somebody has firings left, and the run goes on.
    bool again() const noexcept { return running_ != 0 && !run_->stopping(); }

    /// One of the worker's has no firing left.
    void finished(Instance& instance) noexcept {
        --running_;
        run_->task_done(instance);
    }

    /// Waits as the plan says until `ready()`. False: the run is to stop.
    template <class Ready> bool wait_until(Ready ready) noexcept {
        // What it keeps to itself may be what the others wait for.
        if (!ready()) {
            for (const std::uint32_t task : tasks_) run_->instances()[task]->hand_over();
        }
        while (!ready()) {
            if (run_->stopping()) return false;
            waiting_.idle(kForever);
        }
        waiting_.moved();
        return true;
    }

    Run& run() const noexcept { return *run_; }

  private:
    Run* run_;
    std::span<const std::uint32_t> tasks_;
    std::size_t running_;  ///< of the worker's instances
    Waiting waiting_;
};

/// What each of the plan's workers does, in the plan's order. Empty: it has no section, and steps its tasks.
using Sections = std::vector<std::function<void(Section&)>>;

/// Runs each worker's section, or its tasks beside those of the others. Returns when all have left.
void run_sections(Run& run, const Sections& sections);

template <class S>
concept SectionRunner = requires(S s, Run& run, const Sections& sections) { s.run(run, sections); };

}  // namespace weir
