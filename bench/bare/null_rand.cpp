// Parallel pipes of the graph's own blocks over plain buffers, each drained before it is filled again.

#include <algorithm>
#include <barrier>
#include <limits>
#include <numeric>
#include <thread>

#include "bare.hpp"
#include "copy_rand/copy_rand.hpp"
#include "head/head.hpp"
#include "null_sink/null_sink.hpp"
#include "null_source/null_source.hpp"
#include "weir/bare.hpp"
#include "weir/block.hpp"

namespace weir::bench {
namespace {

using bare::Buffer;
using bare::make_buffer;

constexpr std::size_t kPipes = 6;
constexpr int kPassesBetweenClocks = 64;

class Pipe {
  public:
    Pipe(std::size_t stages, std::size_t buffer_bytes, std::uint64_t seed)
        : capacity_(buffer_bytes / sizeof(float)), copies_(stages) {
        for (std::size_t i = 0; i < stages + 2; ++i) buffers_.push_back(make_buffer(capacity_));
        BlockContext context;
        context.run_items = std::numeric_limits<std::uint64_t>::max();
        head_.start(context);
        for (auto& copy : copies_) {
            context.seed = seed++;
            copy.start(context);
        }
    }

    /// The items of one pass.
    std::size_t pass() {
        Out<float> made{{buffers_[0].get(), capacity_}};
        source_.work(made);
        move(head_, 0);
        for (std::size_t s = 0; s < copies_.size(); ++s) calls_ += move(copies_[s], s + 1);
        In<float> taken{{buffers_.back().get(), capacity_}, false};
        sink_.work(taken);
        asm volatile("" : : "r"(buffers_.back().get()) : "memory");
        return capacity_;
    }

    /// Of the stages so far.
    std::uint64_t calls() const { return calls_; }

    std::size_t bytes() const { return buffers_.size() * capacity_ * sizeof(float); }

  private:
    /// The calls that it took: counted in a register, beside a copy of some 250 items.
    template <class B> std::uint64_t move(B& block, std::size_t from) {
        std::uint64_t calls = 0;
        for (std::size_t at = 0; at < capacity_; ++calls) {
            In<float> in{{buffers_[from].get() + at, capacity_ - at}, false};
            Out<float> out{{buffers_[from + 1].get() + at, capacity_ - at}};
            block.work(in, out);
            at += out.produced();
        }
        return calls;
    }

    std::size_t capacity_;
    std::uint64_t calls_ = 0;
    std::vector<Buffer> buffers_;
    blocks::NullSource<float> source_;
    blocks::Head<float> head_;
    std::vector<blocks::CopyRand<float>> copies_;
    blocks::NullSink<float> sink_;
};

}  // namespace

Rate null_rand(const std::vector<int>& cpus, std::size_t stages, std::size_t buffer_bytes, double seconds) {
    const std::size_t workers = std::min(cpus.size(), kPipes);
    std::vector<std::uint64_t> done(workers, 0), calls(workers, 0), passed(workers, 0);
    std::vector<std::size_t> bytes(workers, 0);
    std::barrier ready(static_cast<std::ptrdiff_t>(workers) + 1);
    std::vector<std::jthread> threads;
    for (std::size_t w = 0; w < workers; ++w) {
        threads.emplace_back([&, w] {
            pin(cpus[w]);
            std::vector<Pipe> pipes;
            for (std::size_t p = w; p < kPipes; p += workers) pipes.emplace_back(stages, buffer_bytes, 1000 * p);
            std::uint64_t first = 0;
            for (Pipe& pipe : pipes) {
                first += pipe.pass();
                bytes[w] += pipe.bytes();
            }
            ready.arrive_and_wait();
            std::uint64_t items = 0;
            // One pipe after the other, so that one has the caches to itself: the better way, and a bound is wanted.
            for (Pipe& pipe : pipes) {
                const Stopwatch own;
                do {
                    for (int i = 0; i < kPassesBetweenClocks; ++i) items += pipe.pass();
                } while (own.elapsed_s() < seconds / static_cast<double>(pipes.size()));
            }
            done[w] = items;
            passed[w] = first + items;
            for (const Pipe& pipe : pipes) calls[w] += pipe.calls();
        });
    }
    ready.arrive_and_wait();
    const Stopwatch watch;
    threads.clear();
    const auto sum = [](const auto& values) { return std::accumulate(values.begin(), values.end(), std::uint64_t{0}); };
    Rate rate = watch.rate(sum(done));
    rate.buffer_bytes = buffer_bytes;
    rate.total_buffer_bytes = sum(bytes);
    rate.items_per_call = static_cast<double>(sum(passed) * stages) / static_cast<double>(sum(calls));
    return rate;
}

}  // namespace weir::bench
