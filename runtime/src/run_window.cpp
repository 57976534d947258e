// Window. The last sink to finish its warm-up opens it and the first sink to finish closes it; each takes a snapshot of
// the metered counts at that moment. Workers write each of these fields at most once, and `launch` reads them after the
// join.
#include "run_parts.hpp"
#include "weir/clock.hpp"

namespace weir {

void Run::Impl::milestone(Instance&) noexcept {
    if (sinks_warming.fetch_sub(1, std::memory_order_acq_rel) == 1) open_window(monotonic_ns());
}

void Run::Impl::open_window(std::int64_t now) noexcept {
    items_at_open = metered_items();
    opened_ns = now;
}

void Run::Impl::sink_done() noexcept {
    const std::int64_t now = monotonic_ns();
    if (!window_closed.exchange(true, std::memory_order_acq_rel)) {
        items_at_close = metered_items();
        closed_ns = now;
    }
    if (sinks_running.fetch_sub(1, std::memory_order_acq_rel) == 1) last_sink_ns = now;
}

std::uint64_t Run::Impl::metered_items() const noexcept {
    std::uint64_t sum = 0;
    for (const Instance* task : metered) sum += task->counters().items_out.load(std::memory_order_relaxed);
    return sum;
}

bool Run::Impl::warm_up_takes_everything() const {
    return setup.spec.warmup_items != 0 && std::ranges::any_of(instances, [this](const Instance* task) {
               return task->is_sink() && expected_of(*task) && *expected_of(*task) <= setup.spec.warmup_items;
           });
}

void Run::Impl::conclude(std::int64_t left_ns) {
    outcome.complete = !outcome.failure && tasks_running.load() == 0;
    outcome.elapsed_ns = (last_sink_ns != kUnset ? last_sink_ns : left_ns) - outcome.barrier_ns;
    if (opened_ns == kUnset) return;
    // The run stopped before any sink was done, so the window ends with the run.
    if (closed_ns == kUnset) {
        closed_ns = left_ns;
        items_at_close = metered_items();
    }
    if (closed_ns <= opened_ns) return;
    if (warm_up_takes_everything()) return;  // the window opened and closed at the same event
    outcome.window = Window{opened_ns, closed_ns};
    outcome.window_items = items_at_close - items_at_open;
}

}  // namespace weir
