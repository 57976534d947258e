// The chain of saxpy stages as one would cut it by hand for two cores: two threads that spin, and one ring between them.
//
// The first thread has the first half of the stages (one more of an odd number), the second one the rest. Both work a
// tile at a time, which stays in L1, and in place from their first stage on. That stage reads what is not the thread's
// own: the source's tile, or the slot, which the second thread therefore never writes. A slot is handed on as a whole.

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#if defined(__x86_64__) || defined(__i386__)
#endif

#include "bare.hpp"
#include "weir/axpy.hpp"
#include "weir/bare.hpp"
#include "weir/digest.hpp"

namespace weir::bench {
namespace {

using bare::Buffer;
using bare::make_buffer;

constexpr std::size_t kTileItems = bare::kBufferBytes / sizeof(float);
constexpr std::size_t kApart = 128;  // two lines: prefetchers fetch them in pairs
constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

/// Slots filled and slots emptied since the beginning. Release and acquire: what is in a slot goes with its count.
struct Counters {
    alignas(kApart) std::atomic<std::uint64_t> filled{0};
    alignas(kApart) std::atomic<std::uint64_t> emptied{0};
    alignas(kApart) std::atomic<std::uint64_t> last{kEndless};  ///< slots until the end; known late in a timed run
};

/// An item of the counted data that the answer is checked with.
float counted(std::uint64_t index) noexcept { return 1.0F + static_cast<float>(index % 4093); }

class Run {
  public:
    /// `limit`: slots after which the first thread ends; kEndless: when it is told to. A limited run is on counted data.
    Run(const Pipeline& shape, std::uint64_t limit)
        : shape_(shape), items_(shape.slot_bytes / sizeof(float)), limit_(limit), counted_(limit != kEndless),
          first_stages_(shape.stages - shape.stages / 2) {
        for (std::size_t i = 0; i < shape.slots; ++i) slots_.push_back(make_buffer(items_));
        asm volatile("" : "+m"(a_), "+m"(b_));  // run-time values
    }

    Rate go(int first_cpu, int second_cpu, double seconds) {
        std::barrier ready(3);
        std::jthread first([&] {
            pin(first_cpu);
            ready.arrive_and_wait();
            fill();
        });
        std::jthread second([&] {
            pin(second_cpu);
            ready.arrive_and_wait();
            empty();
        });
        ready.arrive_and_wait();
        const Stopwatch watch;
        if (!counted_) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        stop_.store(true, std::memory_order_relaxed);
        first.join();
        second.join();
        Rate rate = watch.rate(counters_.emptied.load(std::memory_order_relaxed) * items_);
        rate.buffer_bytes = shape_.slot_bytes * shape_.slots;
        rate.total_buffer_bytes = rate.buffer_bytes + 2 * kTileItems * sizeof(float);
        const std::size_t tiles = (items_ + kTileItems - 1) / kTileItems;
        rate.items_per_call = static_cast<double>(items_) / static_cast<double>(tiles);
        return rate;
    }

    std::uint64_t digest() const { return digest_; }
    std::uint64_t items() const { return limit_ * items_; }

  private:
    void fill() {
        const Buffer source = make_buffer(kTileItems);
        for (std::uint64_t slot = 0;; ++slot) {
            const bool told = !counted_ && stop_.load(std::memory_order_relaxed);
            if (told || slot == limit_) {
                counters_.last.store(slot, std::memory_order_release);
                return;
            }
            while (slot - counters_.emptied.load(std::memory_order_acquire) == shape_.slots) breathe();
            float* const into = slots_[slot % shape_.slots].get();
            for (std::size_t at = 0; at < items_; at += kTileItems) {
                const std::size_t n = std::min(kTileItems, items_ - at);
                if (counted_)
                    for (std::size_t i = 0; i < n; ++i) source[i] = counted(slot * items_ + at + i);
                asm volatile("" : : "r"(source.get()) : "memory");  // as far as the compiler knows, a new tile
                stages(first_stages_, source.get(), into + at, n);
            }
            counters_.filled.store(slot + 1, std::memory_order_release);
        }
    }

    void empty() {
        const Buffer own = make_buffer(kTileItems);
        for (std::uint64_t slot = 0;; ++slot) {
            while (slot == counters_.filled.load(std::memory_order_acquire)) {
                if (slot == counters_.last.load(std::memory_order_acquire)) return;
                breathe();
            }
            const float* const from = slots_[slot % shape_.slots].get();
            for (std::size_t at = 0; at < items_; at += kTileItems) {
                const std::size_t n = std::min(kTileItems, items_ - at);
                stages(shape_.stages - first_stages_, from + at, own.get(), n);
                asm volatile("" : : "r"(own.get()) : "memory");  // the sink
                if (counted_) digest_ += digest_of(own.get(), n, slot * items_ + at);
            }
            counters_.emptied.store(slot + 1, std::memory_order_release);
        }
    }

    void stages(std::size_t count, const float* from, float* to, std::size_t n) const noexcept {
        for (std::size_t s = 0; s < count; ++s) axpy(a_, s == 0 ? from : to, b_, to, n);
    }

    Pipeline shape_;
    std::size_t items_;
    std::uint64_t limit_;
    bool counted_;
    std::size_t first_stages_;
    float a_ = 0.75F, b_ = 0.5F;
    std::vector<Buffer> slots_;
    Counters counters_;
    std::atomic<bool> stop_{false};
    std::uint64_t digest_ = 0;
};

}  // namespace

Rate pipeline(const Pipeline& shape, int first_cpu, int second_cpu, double seconds) {
    return Run(shape, kEndless).go(first_cpu, second_cpu, seconds);
}

bool pipeline_is_right(const Pipeline& shape, int first_cpu, int second_cpu) {
    Run run(shape, 4 * shape.slots + 1);
    run.go(first_cpu, second_cpu, 0);
    std::uint64_t expected = 0;
    for (std::uint64_t index = 0; index < run.items(); ++index) {
        float item = counted(index);
        for (std::size_t s = 0; s < shape.stages; ++s) item = std::fma(0.75F, item, 0.5F);
        expected += mix64(index, item_bits(item));
    }
    return run.digest() == expected;
}

}  // namespace weir::bench
