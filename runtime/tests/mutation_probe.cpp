// Runs a chain many times, over four threads and over workers between which its blocks move. Exits with 0 if every sink
// receives the whole stream in order, otherwise with 1. SIGALRM kills a run that hangs. `test_mutants.py` builds it
// against runtimes with one changed line.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "flow/flow.hpp"
#include "test_blocks.hpp"
#include "thread_pool/thread_pool.hpp"
#include "weir/node.hpp"
#include "weir/run.hpp"
#include "work_stealing/work_stealing.hpp"

namespace {

using namespace weir;
using namespace weir::testing;

constexpr std::size_t kPatientItems = 8;

struct Chain {
    std::size_t buffer, chunk;
    std::uint64_t items, seed;
    StreamSpec wire(std::string_view name) const { return {.name = name, .items = buffer, .kind = StreamKind::ring}; }

    Stream<Item> source_out{wire("source.out")}, affine_out{wire("affine.out")}, head_out{wire("head.out")};
    Node<Source> source{{.name = "source", .chunk_items = chunk}, {.salt = 2, .seed = seed}, ins(), outs(source_out)};
    Node<Affine> affine{{.name = "affine", .chunk_items = chunk}, {seed + 1}, ins(source_out), outs(affine_out)};
    Node<Head> head{{.name = "head", .chunk_items = chunk}, {items, seed + 2}, ins(affine_out), outs(head_out)};
    Node<Sink> sink{{.name = "sink", .chunk_items = chunk}, {0, seed + 3}, ins(head_out), outs()};
    std::vector<Task*> tasks() { return {&source, &affine, &head, &sink}; }
    std::vector<StreamBase*> streams() { return {&source_out, &affine_out, &head_out}; }
};

/// One worker per block if `workers` is 0; otherwise jobs of one block each.
Plan plan_of(Chain& chain, std::size_t workers) {
    static constexpr std::string_view kNames[] = {"w0", "w1", "w2"};
    Plan plan;
    for (std::size_t i = 0; i < workers; ++i) plan.workers.push_back({kNames[i], {}, {}});
    const std::vector<Task*> tasks = chain.tasks();
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const std::string_view name = tasks[i]->spec().name;
        const auto itself = std::span(weir::tasks<0, 1, 2, 3>).subspan(i, 1);
        if (workers == 0) plan.workers.push_back({name, {}, itself});
        else plan.jobs.push_back({name, itself});
    }
    return plan;
}

template <class Scheduler> bool whole_stream_arrives(std::uint64_t seed, std::size_t workers) {
    Chain chain{
        .buffer = 1 + seed % 61, .chunk = 1 + seed % 17, .items = 1 + splitmix64(seed) % 3'000, .seed = 4 * seed + 1};
    const Plan plan = plan_of(chain, workers);
    Run run(plan, chain.tasks(), chain.streams());
    Scheduler{}.run(run);
    std::uint64_t digest = 0;
    for (std::uint64_t i = 0; i < chain.items; ++i) digest += mix64(i, Affine::of(source_item(i, 2)));
    return run.outcome().complete && chain.sink.digest() == digest;
}

/// Emits one item per call, slowly.
struct Dripping {
    struct Params {};
    Params params;
    Item given = 0;
    WorkResult work(Out<Item>& out) noexcept {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        out[0] = given;
        out.produce(1);
        return ++given == kPatientItems ? WorkStatus::done : WorkStatus::ok;
    }
};

/// Requires all items at once. Its request is so slow that all items have arrived before it returns, so each wake-up
/// arrives during the step.
struct Patient {
    struct Params {};
    Params params;
    WorkResult work(In<Item>& in) noexcept {
        if (in.size() < kPatientItems) {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            return WorkStatus::need_input;
        }
        in.consume(in.size());
        return WorkStatus::ok;
    }
};

/// `scheduler`: with turns of one step, so each item causes a wake-up.
template <class Scheduler> bool a_wake_up_in_mid_step_is_kept(Scheduler scheduler) {
    Stream<Item> stream{{.name = "source.out", .items = kPatientItems, .kind = StreamKind::ring}};
    Node<Dripping> source{{.name = "source", .chunk_items = 1}, {}, ins(), outs(stream)};
    Node<Patient> patient{{.name = "patient", .chunk_items = kPatientItems}, {}, ins(stream), outs()};
    Plan plan;
    plan.workers = {{"w0", {}, {}}, {"w1", {}, {}}};
    plan.jobs = {{"source", tasks<0>}, {"patient", tasks<1>}};
    Run run(plan, {&source, &patient}, {&stream});
    scheduler.run(run);
    return run.outcome().complete && patient.counters().items_in + patient.counters().tail_items == kPatientItems;
}

}  // namespace

/// mutation_probe SECONDS: a run that takes longer hangs.
int main(int argc, char** argv) {
    const unsigned limit_s = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 20;
    for (int i = 0; i < 5; ++i) {
        ::alarm(limit_s);
        if (!a_wake_up_in_mid_step_is_kept(schedulers::WorkStealing{{.steps = 1}}) ||
            !a_wake_up_in_mid_step_is_kept(schedulers::ThreadPool{})) {
            std::printf("items are missing\n");
            return 1;
        }
    }
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        ::alarm(limit_s);
        const std::size_t workers = 2 + seed % 2;
        if (!whole_stream_arrives<schedulers::Flow>(seed, 0) ||
            !whole_stream_arrives<schedulers::WorkStealing>(seed, workers) ||
            !whole_stream_arrives<schedulers::ThreadPool>(seed, workers)) {
            std::printf("wrong answer at seed %llu\n", static_cast<unsigned long long>(seed));
            return 1;
        }
    }
    return 0;
}
