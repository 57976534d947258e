// The block's own steps over plain buffers, as many threads as the graph has workers: what there is to share out.
// On CPUs that others want too, more threads get more; so the bound has as many as what is held against it.

#include <barrier>
#include <numeric>
#include <thread>

#include "bare.hpp"
#include "busy_work/busy_work.hpp"
#include "weir/bare.hpp"
#include "weir/block.hpp"

namespace weir::bench {

Rate busy_work(const std::vector<int>& cpus, std::size_t workers, std::int64_t iterations, std::size_t buffer_bytes,
               double seconds) {
    const std::size_t items = buffer_bytes / sizeof(float);
    std::vector<std::uint64_t> done(workers, 0);
    std::barrier ready(static_cast<std::ptrdiff_t>(workers) + 1);
    std::vector<std::jthread> threads;
    for (std::size_t w = 0; w < workers; ++w) {
        threads.emplace_back([&, w] {
            pin(cpus[w % cpus.size()]);
            const auto from = bare::make_buffer(items), to = bare::make_buffer(items);
            blocks::BusyWork<float> block{{iterations}};
            ready.arrive_and_wait();
            const Stopwatch own;
            do {
                In<float> in{{from.get(), items}, false};
                Out<float> out{{to.get(), items}};
                block.work(in, out);
                done[w] += out.produced();
            } while (own.elapsed_s() < seconds);
        });
    }
    ready.arrive_and_wait();
    const Stopwatch watch;
    threads.clear();
    Rate rate = watch.rate(std::accumulate(done.begin(), done.end(), std::uint64_t{0}));
    rate.buffer_bytes = items * sizeof(float);
    rate.total_buffer_bytes = 2 * rate.buffer_bytes * workers;
    rate.items_per_call = static_cast<double>(items);
    return rate;
}

}  // namespace weir::bench
