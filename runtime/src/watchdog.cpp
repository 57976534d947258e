#include "weir/watchdog.hpp"

#include <csignal>
#include <cstdio>
#include <map>
#include <system_error>
#include <thread>

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "weir/clock.hpp"
#include "weir/kept_off.hpp"

namespace weir {

namespace {

// Long enough not to disturb a measured core, short enough for a smooth progress bar.
constexpr int kTickMs = 200;

sigset_t stop_signals() {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGINT);
    ::sigaddset(&set, SIGTERM);
    return set;
}

class FileDescriptor {
  public:
    explicit FileDescriptor(int fd) : fd_(fd) {
        if (fd < 0) throw std::system_error(errno, std::generic_category(), "watchdog");
    }
    ~FileDescriptor() { ::close(fd_); }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    int get() const noexcept { return fd_; }

  private:
    int fd_;
};

double seconds_since(std::int64_t start_ns) { return static_cast<double>(monotonic_ns() - start_ns) * 1e-9; }

}  // namespace

struct Watchdog::Impl {
    explicit Impl(WatchdogSpec s)
        : spec(std::move(s)), signals(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK)),
          done(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        ::pthread_sigmask(SIG_BLOCK, &watched, &before);
        thread = std::thread([this] { watch(); });
        ::pthread_setname_np(thread.native_handle(), "weir-watchdog");
    }

    void watch() {
        while (!finished()) {
            if (ending == Ending::finished) {
                if (spec.tick) spec.tick(flowing_s());
                look();
            } else if (seconds_since(stopped_ns) > spec.grace_s) {
                spec.give_up(ending, diagnose(cause, spec.instances, spec.streams));
            }
        }
    }

    /// Wait for a tick or an event. Returns whether the run has finished.
    bool finished() {
        pollfd events[] = {{done.get(), POLLIN, 0}, {signals.get(), POLLIN, 0}};
        ::poll(events, 2, kTickMs);
        return (events[0].revents & POLLIN) != 0;
    }

    void look() {
        signalfd_siginfo info{};
        if (::read(signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
            // Restore the default action of the signal, so that the second one kills.
            ::pthread_sigmask(SIG_UNBLOCK, &watched, nullptr);
            std::fputs("\nstopping; interrupt again to kill\n", stderr);
            stop(Ending::interrupted, "interrupt");
        } else if (seconds_since(start_ns) > spec.timeout_s) {
            stop(Ending::timed_out, "timeout");
        } else if (stalled()) {
            stop(Ending::stalled, "stall");
        }
    }

    double flowing_s() const {
        const std::int64_t began_ns = spec.began_ns();
        return began_ns != 0 ? seconds_since(began_ns) : 0;
    }

    bool stalled() {
        if (spec.began_ns() == 0) return false;
        if (moved_ns == 0) moved_ns = monotonic_ns();
        std::uint64_t sum = 0;
        bool timed = false;
        for (const Instance* task : spec.instances) {
            const TaskCounters& counters = task->counters();
            sum +=
                counters.items_in.load(std::memory_order_relaxed) + counters.items_out.load(std::memory_order_relaxed);
            timed = timed || task->state() == StepStatus::wait;
        }
        if (sum != moved || timed) {
            moved = sum;
            moved_ns = monotonic_ns();
            still.clear();
            return false;
        }
        if (spec.stall_s <= 0) return false;
        if (still.empty()) {  // compare two readings that are far apart: within a moment no thread may have run
            if (seconds_since(moved_ns) > spec.stall_s / 2) still = read_threads();
            return false;
        }
        if (seconds_since(moved_ns) <= spec.stall_s) return false;
        // On a busy machine a worker may get no CPU for seconds, while other workers wait for it. That is no stall.
        if (!some_kept_off(still, read_threads())) return true;
        moved_ns = monotonic_ns();
        still.clear();
        return false;
    }

    void stop(Ending why, const char* what) {
        cause = what;
        // Before the stop, because a stopped worker no longer waits for another.
        if (why != Ending::interrupted) {
            seen = diagnose(cause, spec.instances, spec.streams);
            std::fputs(diagnosis_text(seen).c_str(), stderr);
        }
        ending = why;
        stopped_ns = monotonic_ns();
        spec.stop();
    }

    WatchdogSpec spec;
    sigset_t watched = stop_signals();
    sigset_t before{};
    FileDescriptor signals, done;
    std::thread thread;

    // Only the thread uses these until it has been joined.
    Ending ending = Ending::finished;
    const char* cause = "";
    WatchdogResult seen;
    std::int64_t start_ns = monotonic_ns();
    std::int64_t stopped_ns = 0;
    std::uint64_t moved = 0;
    std::int64_t moved_ns = 0;  ///< 0: items do not flow yet
    std::map<int, ThreadReading> still;  ///< halfway to a stall; empty: before that
};

Watchdog::Watchdog(WatchdogSpec spec) : impl_(std::make_unique<Impl>(std::move(spec))) {}

Watchdog::~Watchdog() { finish(); }

Ending Watchdog::finish() {
    if (impl_->thread.joinable()) {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = ::write(impl_->done.get(), &one, sizeof one);
        impl_->thread.join();
        ::pthread_sigmask(SIG_SETMASK, &impl_->before, nullptr);
    }
    return impl_->ending;
}

const WatchdogResult& Watchdog::seen() const noexcept { return impl_->seen; }

}  // namespace weir
