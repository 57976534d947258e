#include <atomic>
#include <mutex>

#include <unistd.h>

#include "trace_backends.hpp"
#include "weir/clock.hpp"
#include "weir/memory.hpp"

namespace weir::trace {

namespace {

/// Written by one thread. The counts are atomic because the watchdog reads them in mid-run.
class alignas(kCacheLine) MemoryLog final : public Log {
  public:
    // Value-initialising every record also faults its pages in, before the barrier and on the node of the thread that writes.
    MemoryLog(EventSet wanted, std::size_t capacity) : Log(wanted), records_(capacity) {}

    void write(Event event, std::uint32_t id, std::uint64_t value, std::int64_t since_ns) noexcept override {
        if (!wants(event)) return;
        const std::size_t n = size_.load(std::memory_order_relaxed);
        if (n == records_.size()) {
            discarded_.store(discarded_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            return;
        }
        records_[n] = {monotonic_ns(), value, since_ns, id, thread_, -1, event, {}};
        size_.store(n + 1, std::memory_order_relaxed);
    }

    std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
    std::uint64_t discarded() const noexcept { return discarded_.load(std::memory_order_relaxed); }
    std::span<const Record> records() const noexcept { return std::span(records_).first(size()); }

  private:
    std::int32_t thread_ = ::gettid();
    std::vector<Record> records_;
    std::atomic<std::size_t> size_{0};
    std::atomic<std::uint64_t> discarded_{0};
};

class MemoryTracer final : public Tracer {
  public:
    explicit MemoryTracer(EventSet wanted) : wanted_(wanted) {}

    TraceBackend backend() const noexcept override { return TraceBackend::memory; }

    Log& thread_log(std::size_t capacity) override {
        auto log = std::make_unique<MemoryLog>(wanted_, capacity);
        const std::lock_guard lock(mutex_);
        return *logs_.emplace_back(std::move(log));
    }

    std::uint64_t events() const noexcept override {
        const std::lock_guard lock(mutex_);
        std::uint64_t sum = 0;
        for (const auto& log : logs_) sum += log->size();
        return sum;
    }

    std::uint64_t discarded() const noexcept override {
        const std::lock_guard lock(mutex_);
        std::uint64_t sum = 0;
        for (const auto& log : logs_) sum += log->discarded();
        return sum;
    }

    std::vector<std::span<const Record>> records() const override {
        const std::lock_guard lock(mutex_);
        std::vector<std::span<const Record>> all;
        all.reserve(logs_.size());
        for (const auto& log : logs_) all.push_back(log->records());
        return all;
    }

  private:
    EventSet wanted_;
    mutable std::mutex mutex_;  ///< guards the list; a log has one writer and no lock
    std::vector<std::unique_ptr<MemoryLog>> logs_;
};

}  // namespace

std::unique_ptr<Tracer> make_memory_tracer(EventSet wanted) { return std::make_unique<MemoryTracer>(wanted); }

}  // namespace weir::trace
