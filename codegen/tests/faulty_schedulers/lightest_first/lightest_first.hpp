// The fault: blocks with short calls run as long as they can; blocks with long calls run only then.
#pragma once

#include <time.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "weir/wait.hpp"
#include "weir/worker_loop.hpp"

namespace weir::schedulers {

struct LightestFirst {
    void run(Run& run) const { run.launch(run.plan().workers, work); }

  private:
    struct Turn {
        std::vector<Task*> task;  ///< one, or none once it is over
        std::int64_t ns = 0;      ///< duration of its calls, a moving average
        std::int64_t taken = 0;   ///< number of turns
    };

    static void work(Worker& worker) noexcept {
        Waiting waiting(worker.run->plan().wait, *worker.events, worker.log, static_cast<std::uint32_t>(worker.index));
        std::vector<Turn> turns;
        for (Task* task : worker.tasks) turns.push_back({{task}});
        while (!turns.empty() && !worker.run->stopping()) {
            // Among calls of similar length, the pipe with the fewest turns goes first, so pipes of equal work are
            // served alike.
            std::ranges::stable_sort(turns, {}, [](const Turn& turn) { return turn.taken; });
            std::ranges::stable_sort(
                turns, {}, [](const Turn& turn) { return std::bit_width(static_cast<std::uint64_t>(turn.ns)) / 4; });
            std::int64_t wake_ns = kForever;
            const bool moved = std::ranges::any_of(turns, [&](Turn& turn) { return takes(worker, turn, wake_ns); });
            std::erase_if(turns, [](const Turn& turn) { return turn.task.empty(); });
            if (moved) waiting.moved();
            else waiting.idle(wake_ns);
        }
    }

    static std::int64_t cpu_ns() noexcept {
        timespec used{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        return used.tv_sec * 1'000'000'000LL + used.tv_nsec;
    }

    static bool takes(Worker& worker, Turn& turn, std::int64_t& wake_ns) noexcept {
        const std::int64_t began_ns = cpu_ns();
        const Pass pass = pass_over(*worker.run, turn.task, 1);
        wake_ns = std::min(wake_ns, pass.wake_ns);
        if (!pass.moved) return false;
        turn.ns += (cpu_ns() - began_ns - turn.ns) / 8;
        ++turn.taken;
        return true;
    }
};

}  // namespace weir::schedulers
