#include "hosted/weir_hosted.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <stdexcept>

#include "weir/thread.hpp"

namespace weir::hosted {

// Both have the same memory layout.
static_assert(sizeof(Port) == sizeof(weir_port) && offsetof(Port, size) == offsetof(weir_port, size) &&
              offsetof(Port, over) == offsetof(weir_port, over) && offsetof(Port, end) == offsetof(weir_port, end) &&
              offsetof(Port, moved) == offsetof(weir_port, moved));
static_assert(sizeof(Turn) == sizeof(weir_turn) && offsetof(Turn, moved) == offsetof(weir_turn, moved) &&
              offsetof(Turn, wants_more) == offsetof(weir_turn, wants_more) &&
              offsetof(Turn, wake_ns) == offsetof(weir_turn, wake_ns));
static_assert(sizeof(Rest) == sizeof(weir_rest) && offsetof(Rest, read) == offsetof(weir_rest, read) &&
              offsetof(Rest, written) == offsetof(weir_rest, written));
static_assert(static_cast<int>(Next::at_change) == WEIR_AT_CHANGE && static_cast<int>(Next::at_once) == WEIR_AT_ONCE &&
              static_cast<int>(Next::at_time) == WEIR_AT_TIME && static_cast<int>(Next::over) == WEIR_OVER &&
              static_cast<int>(Next::closes) == WEIR_CLOSES && static_cast<int>(Next::stays) == WEIR_STAYS);

void PeerScheduler::launch(Run& run, std::span<Guest* const> guests) {
    run.host(run.plan().workers, [&] {
        weir_run it{run, guests};
        go(&it);
        for (Guest* const guest : guests) {
            if (guest->stands_aside()) guest->leave(0);
        }
        if (!it.failure.empty()) throw std::runtime_error(it.failure);
    });
}

}  // namespace weir::hosted

weir_turn weir_turn_of(weir_run* it, size_t instance, const weir_port* ins, const weir_port* outs) {
    using weir::hosted::Port;
    return std::bit_cast<weir_turn>(
        it->guests[instance]->turn(reinterpret_cast<const Port*>(ins), reinterpret_cast<const Port*>(outs)));
}

weir_direct weir_direct_of(weir_run* it, size_t instance) {
    const auto [block, call] = it->guests[instance]->direct();
    return {block, reinterpret_cast<decltype(weir_direct::call)>(call)};
}

void weir_left(weir_run* it, size_t instance, size_t unread) { it->guests[instance]->leave(unread); }

void weir_granted(weir_run* it, size_t instance, size_t output, size_t items) {
    it->guests[instance]->written(output).grant(items);
}

size_t weir_items_in(const weir_run* it, size_t instance, size_t input) {
    return it->guests[instance]->items_in(input);
}
size_t weir_items_out(const weir_run* it, size_t instance, size_t output) {
    return it->guests[instance]->items_out(output);
}

bool weir_unwatched(const weir_run* it, size_t instance) { return it->guests[instance]->is_unwatched(it->run); }
uint64_t weir_bound(const weir_run* it, size_t instance) { return it->guests[instance]->bound(); }
void weir_stand_aside(weir_run* it, size_t instance) { it->guests[instance]->stand_aside(); }
void weir_report_items(weir_run* it, size_t instance, uint64_t items_in, uint64_t items_out) {
    it->guests[instance]->report_items(items_in, items_out);
}

bool weir_recorded(const weir_run* it, size_t instance, size_t output) {
    return it->guests[instance]->recorded(output) != nullptr;
}

void weir_record(weir_run* it, size_t instance, size_t output, const void* items, size_t count) {
    const weir::hosted::Guest& guest = *it->guests[instance];
    const auto* const bytes = static_cast<const std::byte*>(items);
    guest.recorded(output)->insert(guest.recorded(output)->end(), bytes, bytes + count * guest.item_bytes_out(output));
}

bool weir_stopping(const weir_run* it) { return it->run.stopping(); }
void weir_failed(weir_run* it, const char* message) { it->failure = message; }

void weir_enter(weir_run* it) {
    const auto workers = std::span(it->run.plan().workers);
    const std::vector<int> own = weir::thread_cpus();
    std::size_t chosen = workers.size();
    {
        const std::lock_guard lock(it->mutex);
        it->taken.resize(workers.size());
        for (std::size_t worker = 0; worker < workers.size(); ++worker) {
            if (it->taken[worker]) continue;
            const bool is_its = std::ranges::equal(workers[worker].cpus, own);
            if (is_its || chosen == workers.size()) chosen = worker;
            if (is_its) break;
        }
        if (chosen == workers.size()) return;  // more threads than workers: this thread is no worker
        it->taken[chosen] = true;
    }
    it->run.enter(chosen);
}

void weir_enter_as(weir_run* it, size_t worker) {
    const auto workers = std::span(it->run.plan().workers);
    if (worker >= workers.size()) return;  // more threads than workers: this thread is no worker
    if (const auto cpus = workers[worker].cpus; !cpus.empty()) {
        if (const std::string error = weir::keep_thread_to(std::vector<int>(cpus.begin(), cpus.end()));
            !error.empty()) {
            const std::lock_guard lock(it->mutex);
            it->failure = std::string(workers[worker].name) + ": " + error;
        }
    }
    it->run.enter(worker);
}

void weir_leave(weir_run* it) {
    if (const weir::Worker* const here = weir::Run::hosted_here()) it->run.leave(here->index);
}

bool weir_keep_to(weir_run* it, const size_t* cpus, size_t count) {
    if (count == 0) return true;
    it->failure = weir::keep_thread_to(std::vector<int>(cpus, cpus + count));
    return it->failure.empty();
}
