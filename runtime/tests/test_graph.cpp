#include "test_graph.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <type_traits>

#include "stuck.hpp"

namespace weir::testing {
namespace {

/// Carries a block's type to a function template that deduces it.
template <class B> inline constexpr std::type_identity<B> type{};

std::chrono::seconds limit() {
    const char* text = std::getenv("WEIR_TEST_LIMIT_S");
    return std::chrono::seconds(text != nullptr ? std::atoi(text) : 20);
}

std::uint64_t items_moved(const Run& run) {
    std::uint64_t sum = 0;
    for (const Task* task : run.tasks()) sum += task->counters().items_in + task->counters().items_out;
    return sum;
}

/// A run that still moves items after this many limits is endless: a normal run takes milliseconds.
constexpr int kMostLimits = 12;

/// Watches one run from a separate thread.
class Guard {
  public:
    Guard(Run& run, Outcome& outcome, const Placement& placement, const Settings& settings)
        : thread_([this, &run, &outcome, &placement, &settings] { watch(run, outcome, placement, settings); }) {}
    ~Guard() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        ended_.notify_one();
        thread_.join();
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

  private:
    using Lock = std::unique_lock<std::mutex>;
    using Clock = std::chrono::steady_clock;
    enum class Course { over, stopped, stuck, endless };

    void watch(Run& run, Outcome& outcome, const Placement& placement, const Settings& settings) {
        Lock lock(mutex_);
        const Course course = follow(lock, run, settings);
        if (course == Course::over) return;
        if (course != Course::stopped) {
            outcome.timed_out = true;
            outcome.stuck = course == Course::stuck
                                ? stuck(run, settings.pool_workers != 0 ? Placement() : placement, before_, after_)
                                : Finding{Claim::ending, "items go on moving, and the run does not end\n" +
                                                             at_work(run, before_, after_)};
            outcome.diagnosis = outcome.stuck->text;
        }
        run.stop();
        while (!over_within(lock, limit())) {
            if (starved_by_others(lock, run)) continue;
            if (over_) return;
            const std::string text = "told to stop, and it does not\n" + at_work(run, before_, after_);
            Finding found{Claim::stop, text};
            if (outcome.stuck) found = {outcome.stuck->claim, outcome.stuck->text + text};
            if (settings.does_not_stop) settings.does_not_stop(found);
            std::fprintf(stderr, "%s", found.text.c_str());
            std::_Exit(EXIT_FAILURE);
        }
    }

    /// Wait until the run ends, must be stopped, has moved no item for the limit, or is endless.
    Course follow(Lock& lock, Run& run, const Settings& settings) {
        if (settings.stop_after) return over_within(lock, *settings.stop_after) ? Course::over : Course::stopped;
        std::uint64_t moved = items_moved(run);
        const auto began = Clock::now();
        for (auto since = began;;) {
            const std::chrono::milliseconds pause = settings.stop_when ? std::chrono::milliseconds(1) : limit();
            if (over_within(lock, pause)) return Course::over;
            if (settings.stop_when && settings.stop_when(run.tasks())) return Course::stopped;
            if (const std::uint64_t now = items_moved(run); now != moved) {
                moved = now;
                since = Clock::now();
            } else if (Clock::now() - since >= limit() && !starved_by_others(lock, run)) {
                return over_ ? Course::over : Course::stuck;
            }
            if (!settings.stop_when && Clock::now() - began >= kMostLimits * limit() && !starved_by_others(lock, run)) {
                return over_ ? Course::over : Course::endless;  // a stream with two writers may never end
            }
        }
    }

    template <class Duration> bool over_within(Lock& lock, Duration duration) {
        return ended_.wait_for(lock, duration, [this] { return over_; });
    }

    /// Observe the workers for a second.
    bool starved_by_others(Lock& lock, const Run& run) {
        before_ = worker_states(run);
        if (over_within(lock, std::chrono::seconds(1))) return false;
        after_ = worker_states(run);
        return kept_from_cpu(before_, after_);
    }

    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::vector<WorkerState> before_, after_;
    std::thread thread_;
};

}  // namespace

Placement on_one_worker(const Graph& graph) {
    Placement placement(1);
    for (std::size_t i = 0; i < graph.size(); ++i) placement[0].push_back(i);
    return placement;
}

Placement on_one_each(const Graph& graph) {
    Placement placement;
    for (std::size_t i = 0; i < graph.size(); ++i) placement.push_back({i});
    return placement;
}

Placement dealt_out(const Graph& graph, std::size_t workers, std::uint64_t seed) {
    Placement placement(workers);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        placement[static_cast<std::size_t>(splitmix64(seed + i) >> 8) % workers].push_back(i);
    }
    return placement;
}

Flowgraph::Flowgraph(const Graph& graph, const Placement& placement, const Settings& settings) {
    std::uint64_t random = settings.seed;
    const auto draw = [&](std::size_t least, std::size_t most) {
        if (settings.seed == 0) return std::max(least, most);
        random = splitmix64(random);
        return least + static_cast<std::size_t>(random >> 8) % (std::max(most, least) - least + 1);
    };
    std::vector<std::size_t> worker_of(graph.size());
    for (std::size_t w = 0; w < placement.size(); ++w) {
        for (const std::size_t op : placement[w]) worker_of[op] = w;
    }
    names_.reserve(graph.size() + placement.size() + settings.pool_workers);
    stream_names_.reserve(2 * graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) names_.push_back(name_of(i));

    const Capacities granule = granules(graph), least = least_capacities(graph);
    // Half of the blocks that can work in place do so where their streams allow it.
    std::vector<bool> in_place(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        auto& outputs = streams_.emplace_back();
        for (std::size_t port = 0; port < outputs_of(graph[i].kind); ++port) {
            std::size_t readers = 0;
            bool crosses = settings.only_rings || (settings.seed != 0 && draw(0, 7) == 0);
            for (std::size_t j = i + 1; j < graph.size(); ++j) {
                for (const Port& from : graph[j].inputs) {
                    if (from.op != i || from.port != port) continue;
                    ++readers;
                    crosses |= worker_of[j] != worker_of[i];
                }
            }
            const std::size_t smallest = std::max(least[i][port], settings.least_buffer);
            std::size_t items = settings.smallest_buffers ? smallest : draw(smallest, settings.buffer);
            if (maps_item_for_item(graph[i].kind) && readers != 0 && !crosses && settings.seed != 0 &&
                draw(0, 1) == 0) {
                const Stream<Item>& input = *streams_[graph[i].inputs[0].op][graph[i].inputs[0].port];
                in_place[i] = input.kind() == StreamKind::linear && input.readers() == 1 &&
                              input.capacity() >= smallest && input.capacity() % granule[i][port] == 0;
                if (in_place[i]) items = input.capacity();
            }
            // Half of the rings grow only while items move through them fast.
            const bool grows = crosses && settings.seed != 0 && draw(0, 1) == 0;
            stream_names_.push_back(names_[i] + ".out" + std::to_string(port));
            outputs.push_back(readers == 0 ? nullptr
                                           : std::make_unique<Stream<Item>>(
                                                 StreamSpec{.name = stream_names_.back(),
                                                            .items = items,
                                                            .kind = crosses ? StreamKind::ring : StreamKind::linear,
                                                            .readers = readers,
                                                            .granule = granule[i][port],
                                                            .least = grows ? draw(smallest, items) : 0}));
        }
    }
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Op& op = graph[i];
        const auto in = [&](std::size_t port) -> Stream<Item>& {
            return *streams_[op.inputs[port].op][op.inputs[port].port];
        };
        const auto out = [&](std::size_t port) {
            return streams_[i][port] ? OutRef<Item>(*streams_[i][port]) : OutRef<Item>(unconnected<Item>);
        };
        NodeSpec spec{.name = names_[i],
                      .index = static_cast<std::uint32_t>(i),
                      .chunk_items = draw(1, settings.chunk),
                      .ends_at_run_items = op.kind == Kind::source,
                      .in_place = in_place[i]};
        const std::uint64_t seed = settings.seed == 0 ? 0 : splitmix64(settings.seed + 1000 + i) | 1;
        auto& in_rates = lists_.emplace_back();
        for (std::size_t port = 0; port < op.inputs.size(); ++port)
            in_rates.push_back(static_cast<std::uint32_t>(in_rate(op, port)));
        spec.in_rates = in_rates;
        spec.out_rates = lists_.emplace_back(outputs_of(op.kind), static_cast<std::uint32_t>(out_rate(op)));
        using OneOut = std::tuple<OutRef<Item>>;
        const auto make = [&]<class B>(std::type_identity<B>, auto params, auto from, auto to) {
            nodes_.push_back(std::make_unique<Node<B>>(spec, typename B::Params(std::move(params)), from, to));
        };
        const auto one_to_one = [&]<class B>(std::type_identity<B> block, typename B::Params params) {
            make(block, std::move(params), ins(in(0)), OneOut{out(0)});
        };
        switch (op.kind) {
            case Kind::source: make(type<Source>, Source::Params{op.n, i, seed}, ins(), OneOut{out(0)}); break;
            case Kind::drip: make(type<Drip>, Drip::Params{op.n, i, seed}, ins(), OneOut{out(0)}); break;
            case Kind::sleeper: make(type<Sleeper>, Sleeper::Params{op.n, op.m, i}, ins(), OneOut{out(0)}); break;
            case Kind::affine: one_to_one(type<Affine>, {seed}); break;
            case Kind::toil: one_to_one(type<Toil>, {op.n, seed}); break;
            case Kind::refuse: one_to_one(type<Refuse>, {seed}); break;
            case Kind::pacer: one_to_one(type<Pacer>, {seed}); break;
            case Kind::decimate: one_to_one(type<Decimate>, {op.n, seed}); break;
            case Kind::interpolate: one_to_one(type<Interpolate>, {op.n, seed}); break;
            case Kind::resample: one_to_one(type<Resample>, {op.n, op.m, seed}); break;
            case Kind::fir: one_to_one(type<Fir>, {op.n, op.m, seed}); break;
            case Kind::head: one_to_one(type<Head>, {op.n, seed}); break;
            case Kind::fail: one_to_one(type<FailAfter>, {op.n, seed}); break;
            case Kind::join: make(type<Join>, Join::Params{seed}, ins(in(0), in(1)), OneOut{out(0)}); break;
            case Kind::weave:
                make(type<Weave>, Weave::Params{op.n, op.m, seed}, ins(in(0), in(1)), OneOut{out(0)});
                break;
            case Kind::split:
                make(type<Split>, Split::Params{seed}, ins(in(0)),
                     std::tuple<OutRef<Item>, OutRef<Item>>{out(0), out(1)});
                break;
            case Kind::sink: make(type<Sink>, Sink::Params{op.n, seed}, ins(in(0)), outs()); break;
        }
    }
    for (std::size_t w = 0; w < placement.size(); ++w) {
        const bool job = settings.pool_workers != 0;
        const std::string_view name = names_.emplace_back((job ? "job" : "worker") + std::to_string(w));
        const auto& tasks = lists_.emplace_back(placement[w].begin(), placement[w].end());
        if (!job) {
            plan_.workers.push_back({name, {}, tasks});
        } else if (!tasks.empty()) {
            plan_.jobs.push_back({name, tasks});
        }
    }
    for (std::size_t w = 0; w < settings.pool_workers; ++w) {
        plan_.workers.push_back({names_.emplace_back("worker" + std::to_string(w)), {}, {}});
    }
    plan_.wait = settings.wait;
    plan_.alignment = settings.alignment;
    plan_.run.items = settings.items;
    plan_.run.warmup_items = settings.warmup_items;
    plan_.run.metrics = settings.metrics;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (graph[i].kind == Kind::source) plan_.metered.push_back(static_cast<std::uint32_t>(i));
    }
}

std::vector<Task*> Flowgraph::tasks() const {
    std::vector<Task*> tasks;
    for (const auto& node : nodes_) tasks.push_back(node.get());
    return tasks;
}

std::vector<StreamBase*> Flowgraph::streams() const {
    std::vector<StreamBase*> streams;
    for (const auto& outputs : streams_) {
        for (const auto& stream : outputs) {
            if (stream) streams.push_back(stream.get());
        }
    }
    return streams;
}

Outcome run_graph(const Graph& graph, const Placement& placement, const Settings& settings,
                  const std::function<void(Run&)>& scheduler) {
    Flowgraph flowgraph(graph, placement, settings);
    RunSetup setup;
    setup.spec = flowgraph.plan().run;
    setup.verify = settings.verify;
    Run run(flowgraph.plan(), flowgraph.tasks(), flowgraph.streams(), setup);
    Outcome outcome;
    {
        const Guard guard(run, outcome, placement, settings);
        scheduler(run);
    }
    outcome.run = run.outcome();
    outcome.expected.assign(run.expected().begin(), run.expected().end());
    for (const Task* task : run.tasks()) {
        const TaskCounters& counters = task->counters();
        outcome.items.push_back(task->is_source() ? counters.items_out : counters.items_in);
        outcome.digests.push_back(task->digest().value_or(0));
        outcome.tails.push_back(counters.tail_items);
        if (task->state() != StepStatus::done) outcome.unfinished.emplace_back(task->spec().name);
    }
    return outcome;
}

}  // namespace weir::testing
