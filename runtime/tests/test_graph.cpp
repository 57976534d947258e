#include "test_graph.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <thread>

#include "weir/watchdog.hpp"

namespace weir::testing {
namespace {

std::uint64_t in_rate(const Op& op) noexcept { return op.kind == Kind::decimate ? op.n : 1; }
std::uint64_t out_rate(const Op& op) noexcept { return op.kind == Kind::interpolate ? op.n : 1; }

std::vector<Item> head_of(std::vector<Item> items, std::uint64_t n) {
    if (items.size() > n) items.resize(static_cast<std::size_t>(n));
    return items;
}

template <class F> std::vector<Item> mapped(const std::vector<Item>& in, F&& f) {
    std::vector<Item> out;
    for (const Item x : in) out.push_back(f(x));
    return out;
}

/// The outputs of one op, from its whole inputs.
std::vector<std::vector<Item>> fire_all(const Op& op, const std::vector<std::vector<Item>>& in, std::uint64_t salt,
                                        std::uint64_t unbounded) {
    std::vector<Item> out;
    switch (op.kind) {
        case Kind::source:
            for (std::uint64_t i = 0; i < (op.n == 0 ? unbounded : op.n); ++i) out.push_back(source_item(i, salt));
            return {out};
        case Kind::affine:
        case Kind::pacer: return {mapped(in[0], Affine::of)};
        case Kind::decimate:
            for (std::size_t i = 0; i + op.n <= in[0].size(); i += op.n) out.push_back(Decimate::of(&in[0][i], op.n));
            return {out};
        case Kind::interpolate:
            for (const Item x : in[0]) {
                for (std::size_t k = 0; k < op.n; ++k) out.push_back(Interpolate::of(x, k));
            }
            return {out};
        case Kind::head:
        case Kind::fail: return {head_of(in[0], op.n)};
        case Kind::join:
            for (std::size_t i = 0; i < std::min(in[0].size(), in[1].size()); ++i) out.push_back(Join::of(in[0][i], in[1][i]));
            return {out};
        case Kind::split: return {mapped(in[0], Split::first), mapped(in[0], Split::second)};
        case Kind::sink: return {};
    }
    return {};
}

template <class B>
std::unique_ptr<Task> one_to_one(NodeSpec spec, typename B::Params params, Stream<Item>& in, OutRef<Item> out) {
    return std::make_unique<Node<B>>(std::move(spec), std::move(params), ins(in), std::tuple<OutRef<Item>>{out});
}

}  // namespace

std::vector<std::vector<Item>> answer(const Graph& graph) {
    std::uint64_t unbounded = 0;  // what a source without an end must give: enough for every head
    for (const Op& op : graph) {
        if (op.kind == Kind::head) unbounded = std::max(unbounded, 10 * op.n + 100);
    }
    std::vector<std::vector<std::vector<Item>>> outputs;
    std::vector<std::vector<Item>> first_inputs;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        std::vector<std::vector<Item>> in;
        for (const Port& from : graph[i].inputs) in.push_back(outputs[from.op][from.port]);
        outputs.push_back(fire_all(graph[i], in, i, unbounded));
        std::vector<Item> seen = in.empty() ? outputs.back()[0] : in[0];
        if (graph[i].kind == Kind::sink && graph[i].n != 0) seen = head_of(std::move(seen), graph[i].n);
        first_inputs.push_back(std::move(seen));
    }
    return first_inputs;
}

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
    names_.reserve(graph.size() + placement.size());
    stream_names_.reserve(2 * graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) names_.push_back(name_of(i));

    for (std::size_t i = 0; i < graph.size(); ++i) {
        auto& outputs = streams_.emplace_back();
        for (std::size_t port = 0; port < outputs_of(graph[i].kind); ++port) {
            std::size_t readers = 0, granule = static_cast<std::size_t>(out_rate(graph[i]));
            bool crosses = settings.only_rings || (settings.seed != 0 && draw(0, 7) == 0);
            for (std::size_t j = i + 1; j < graph.size(); ++j) {
                for (const Port& from : graph[j].inputs) {
                    if (from.op != i || from.port != port) continue;
                    ++readers;
                    granule = std::lcm(granule, static_cast<std::size_t>(in_rate(graph[j])));
                    crosses |= worker_of[j] != worker_of[i];
                }
            }
            stream_names_.push_back(names_[i] + ".out" + std::to_string(port));
            outputs.push_back(readers == 0 ? nullptr : std::make_unique<Stream<Item>>(StreamSpec{
                .name = stream_names_.back(),
                .items = draw(std::max(granule, settings.least_buffer), settings.buffer),
                .kind = crosses ? StreamKind::ring : StreamKind::linear,
                .readers = readers,
                .granule = granule}));
        }
    }
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Op& op = graph[i];
        const auto in = [&](std::size_t port) -> Stream<Item>& { return *streams_[op.inputs[port].op][op.inputs[port].port]; };
        const auto out = [&](std::size_t port) {
            return streams_[i][port] ? OutRef<Item>(*streams_[i][port]) : OutRef<Item>(unconnected<Item>);
        };
        NodeSpec spec{.name = names_[i], .index = static_cast<std::uint32_t>(i), .chunk_items = draw(1, settings.chunk),
                      .ends_at_run_items = op.kind == Kind::source};
        const std::uint64_t seed = settings.seed == 0 ? 0 : splitmix64(settings.seed + 1000 + i) | 1;
        switch (op.kind) {
            case Kind::source:
                nodes_.push_back(std::make_unique<Node<Source>>(std::move(spec), Source::Params{op.n, i, seed}, ins(),
                                                                std::tuple<OutRef<Item>>{out(0)}));
                break;
            case Kind::affine: nodes_.push_back(one_to_one<Affine>(std::move(spec), {seed}, in(0), out(0))); break;
            case Kind::pacer: nodes_.push_back(one_to_one<Pacer>(std::move(spec), {seed}, in(0), out(0))); break;
            case Kind::decimate:
                spec.in_rates = {static_cast<std::uint32_t>(op.n)};
                nodes_.push_back(one_to_one<Decimate>(std::move(spec), {op.n, seed}, in(0), out(0)));
                break;
            case Kind::interpolate:
                spec.out_rates = {static_cast<std::uint32_t>(op.n)};
                nodes_.push_back(one_to_one<Interpolate>(std::move(spec), {op.n, seed}, in(0), out(0)));
                break;
            case Kind::head: nodes_.push_back(one_to_one<Head>(std::move(spec), {op.n, seed}, in(0), out(0))); break;
            case Kind::fail: nodes_.push_back(one_to_one<FailAfter>(std::move(spec), {op.n, seed}, in(0), out(0))); break;
            case Kind::join:
                nodes_.push_back(std::make_unique<Node<Join>>(std::move(spec), Join::Params{seed}, ins(in(0), in(1)),
                                                              std::tuple<OutRef<Item>>{out(0)}));
                break;
            case Kind::split:
                nodes_.push_back(std::make_unique<Node<Split>>(std::move(spec), Split::Params{seed}, ins(in(0)),
                                                               std::tuple<OutRef<Item>, OutRef<Item>>{out(0), out(1)}));
                break;
            case Kind::sink:
                nodes_.push_back(std::make_unique<Node<Sink>>(std::move(spec), Sink::Params{op.n, seed}, ins(in(0)), outs()));
                break;
        }
    }
    for (std::size_t w = 0; w < placement.size(); ++w) {
        WorkerSpec worker{names_.emplace_back("worker" + std::to_string(w)), {}, {}};
        for (const std::size_t op : placement[w]) worker.instances.push_back(names_[op]);
        plan_.workers.push_back(std::move(worker));
    }
    plan_.wait = settings.wait;
    plan_.run.items = settings.items;
    plan_.run.warmup_items = settings.warmup_items;
    plan_.run.metrics = settings.metrics;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (graph[i].kind == Kind::source) plan_.metered.push_back(names_[i]);
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
    const char* limit = std::getenv("WEIR_TEST_LIMIT_S");
    const auto limit_s = std::chrono::seconds(limit != nullptr ? std::atoi(limit) : 20);
    Flowgraph flowgraph(graph, placement, settings);
    RunSetup setup;
    setup.spec = flowgraph.plan().run;
    setup.verify = settings.verify;
    Run run(flowgraph.plan(), flowgraph.tasks(), flowgraph.streams(), setup);
    Outcome outcome;

    std::mutex mutex;
    std::condition_variable ended;
    bool over = false;
    std::thread watchdog([&] {
        std::unique_lock lock(mutex);
        if (ended.wait_for(lock, limit_s, [&] { return over; })) return;
        outcome.timed_out = true;
        outcome.diagnosis = diagnosis_text(diagnose("the test's limit", run.tasks(), run.streams()));
        run.stop();
    });
    scheduler(run);
    {
        const std::lock_guard lock(mutex);
        over = true;
    }
    ended.notify_one();
    watchdog.join();

    outcome.run = run.outcome();
    outcome.expected.assign(run.expected().begin(), run.expected().end());
    for (const Task* task : run.tasks()) {
        const TaskCounters& counters = task->counters();
        outcome.items.push_back(task->is_source() ? counters.items_out : counters.items_in);
        outcome.digests.push_back(task->digest().value_or(0));
        outcome.tails.push_back(counters.tail_items);
    }
    return outcome;
}

}  // namespace weir::testing
