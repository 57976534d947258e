#include "deadline.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

#include <unistd.h>

namespace weir::companion {

namespace {

struct Deadlines {
    std::mutex mutex;
    std::condition_variable changed;
    std::uint64_t latest = 0;  ///< number of the last call
};

Deadlines& deadlines() {
    static auto* const one = new Deadlines;  // outlives the threads that wait
    return *one;
}

}  // namespace

void set_deadline(double seconds, std::string message, int code) {
    Deadlines& of = deadlines();
    std::uint64_t mine = 0;
    {
        const std::lock_guard lock(of.mutex);
        mine = ++of.latest;
    }
    of.changed.notify_all();
    if (seconds <= 0) return;
    std::thread([seconds, text = std::move(message) + "\n", code, mine] {
        Deadlines& waited = deadlines();
        std::unique_lock lock(waited.mutex);
        if (waited.changed.wait_for(lock, std::chrono::duration<double>(seconds),
                                    [&] { return waited.latest != mine; }))
            return;
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
        ::_exit(code);
    }).detach();
}

}  // namespace weir::companion
