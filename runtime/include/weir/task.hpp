// What a program sees of an instance: its name, its counters, when it starts and stops, a state to print, and a waker. And
// what a scheduler sees of one that it steps: one virtual call a chunk.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/block.hpp"
#include "weir/fenced.hpp"
#include "weir/histogram.hpp"
#include "weir/memory.hpp"
#include "weir/plan.hpp"
#include "weir/trace.hpp"

namespace weir {

struct Arrival;
class ArrivalLog;
class StreamBase;
class Instance;
class Task;

/// What joins an output to inputs: a stream, or a place in an arena. It is known by its address.
class Edge {
  protected:
    Edge() = default;
    ~Edge() = default;
};

/// What the generator knows about an instance. The names and lists that it points to outlive the task (`lists.hpp`).
struct NodeSpec {
    std::string_view name;  ///< instance name, `stage[2]@p3`
    std::uint32_t index = 0;  ///< position in the plan; the `block` field of its trace events
    std::size_t chunk_items = 4096;  ///< the most items a call is offered on any port (never less than one firing)
    std::span<const std::uint32_t> in_rates = {};  ///< items a firing, by input port; empty = 1 everywhere
    std::span<const std::uint32_t> out_rates = {};
    /// Items between two events at the first port: rx of a block that has inputs, tx of a source; 0 = no probe.
    std::uint64_t probe_granularity = 0;
    /// Items between two tx of a probed block that also has inputs, where its rates differ; 0 = as probe_granularity.
    std::uint64_t tx_granularity = 0;
    bool ends_at_run_items = false;  ///< a source that no head bounds
    bool in_place = false;  ///< what it writes takes the place of what it reads: one input, one output
    std::span<const std::string_view> in_ports =
        {};  ///< names of the input ports, for results.json; empty: they go by number
};

enum class StepStatus : std::uint8_t {
    progress,
    need_input,  ///< `port` says which
    need_output,
    wait,  ///< until `wake_ns`
    done,
    error,
};

/// How a step went, or the last one of a turn. Small enough to come back in two registers.
struct StepResult {
    StepStatus status = StepStatus::progress;
    std::uint8_t port = 0;  ///< need_input: index into `inputs()`; need_output: into `outputs()`
    bool more = false;  ///< progress: another step can move items though nothing else changes
    bool moved = false;  ///< something did in the turn, or the task is over
    std::uint32_t items = 0;  ///< moved in these calls: the larger of items in and items out, first ports
    std::int64_t wake_ns = 0;  ///< with `wait`

    bool is_over() const noexcept { return status == StepStatus::done || status == StepStatus::error; }
};
static_assert(sizeof(StepResult) == 16);

/// What a task may leave in its streams. `some`: as much as would make the next calls short ones, because another turn comes soon in
/// which there is more.
enum class Leave : std::uint8_t { nothing, some };

/// How a change on a stream reaches whoever runs the task at its other end.
class Waker {
  public:
    virtual void wake(Instance& instance, const Fenced& fenced) noexcept = 0;
    /// Whether a thread would come to it at once. Where none would, waking it before the turn is over in which something changes for it
    /// gains nothing, and costs: whoever comes to it then runs after the one that still writes, from line to line.
    virtual bool is_at_hand() const noexcept { return true; }

  protected:
    ~Waker() = default;
};

/// Told once by each sink that a run watches, on the worker that runs the sink.
class MilestoneObserver {
  public:
    virtual void milestone(Instance& instance) noexcept = 0;

  protected:
    ~MilestoneObserver() = default;
};

/// Counters of one instance. Written by the worker that runs it, read by watchdog and results: relaxed atomics, single writer.
struct TaskCounters {
    std::atomic<std::uint64_t> items_in{0};  ///< first input port
    std::atomic<std::uint64_t> items_out{0};  ///< first output port
    std::atomic<std::uint64_t> busy_ns{0};  ///< only with Metrics::profile
    std::atomic<std::uint64_t> tail_items{0};
    /// Calls by items moved, see histogram.hpp; from Metrics::counters on. There is no other count of calls: it would be one more
    /// store in each.
    std::array<std::atomic<std::uint64_t>, histogram::kBuckets> items_per_call{};

    std::uint64_t calls() const noexcept {
        return std::accumulate(items_per_call.begin(), items_per_call.end(), std::uint64_t{0});
    }
};

/// Its lines are its worker's alone: what an instance says of itself in each call, beside one of another worker, would be fetched
/// from there each time.
class alignas(kCacheLine) Instance {
  public:
    /// How often it fires in a run, and how many items of an incomplete firing its inputs are then left with.
    struct Quota {
        std::uint64_t firings = std::numeric_limits<std::uint64_t>::max();
        std::uint64_t tail_items = 0;
    };

    virtual ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    virtual void start(const BlockContext& context) = 0;  ///< may throw: the run fails and names the instance
    virtual void begin(std::int64_t barrier_ns) noexcept = 0;  ///< on a worker, behind the barrier and before any step
    virtual void stop() = 0;  ///< may throw
    virtual std::string error() const = 0;

    virtual std::optional<std::uint64_t> total_items() const = 0;  ///< the block's own bound, known after start
    virtual std::optional<std::uint64_t> digest() const = 0;

    /// What a paced source is asked for at its first output. Absent of others.
    virtual std::optional<double> offered_items_per_s() const { return std::nullopt; }
    /// From one burst to the next, of a block that lets items through in bursts; 0 of others.
    virtual double burst_ns() const { return 0; }

    /// Verification: sources emit the counter pattern, sinks digest what they get, whatever their blocks do.
    virtual void verify() noexcept = 0;
    /// Appends the bytes of every item that the block writes for the stream `output`, before they are published. False: it has no
    /// such output. `to` outlives the run.
    virtual bool tap(std::string_view output, std::vector<std::byte>& to) = 0;

    /// Before its worker waits: the other ends of its rings hear of all that it moved. Of what a schedule fires; others tell at once.
    virtual void hand_over() noexcept {}

    /// Whether its calls have a time: of one of several that fire in one loop, only the last one's have, which is that of all.
    virtual bool is_timed() const noexcept { return true; }

    /// Whether another runtime calls it.
    virtual bool is_hosted() const noexcept { return false; }
    /// Whether its calls are counted: those of another runtime's own block are not.
    virtual bool is_counted() const noexcept { return true; }
    /// And whether its items are: not all of those say how many they have moved.
    virtual bool knows_items() const noexcept { return true; }

    /// Which of those it is that do the same with other items (`replicated.hpp`).
    std::uint32_t replica() const noexcept { return replica_; }
    void set_replica(std::uint32_t number) noexcept { replica_ = number; }
    /// The stretches that it had, in its order, where an output is tapped; and how often it fires in one.
    std::span<const std::uint64_t> stretches() const noexcept { return stretches_; }
    std::uint64_t stretch_firings() const noexcept { return stretch_firings_; }

    /// Itself where a scheduler steps it; null where a schedule that was made beforehand fires it.
    virtual Task* task() noexcept { return nullptr; }

    const NodeSpec& spec() const noexcept { return spec_; }
    std::span<StreamBase* const> inputs() const noexcept { return inputs_; }
    std::span<StreamBase* const> outputs() const noexcept { return outputs_; }  ///< connected ones only
    /// Likewise, and places in arenas too: all that is connected.
    std::span<const Edge* const> in_edges() const noexcept { return in_edges_; }
    std::span<const Edge* const> out_edges() const noexcept { return out_edges_; }
    std::span<const std::uint32_t> in_rates() const noexcept { return in_rates_; }  ///< as in_edges()
    std::span<const std::uint32_t> out_rates() const noexcept { return out_rates_; }  ///< as out_edges()
    /// Memory that it writes beside that of its streams.
    std::span<const Buffer* const> memory() const noexcept { return memory_; }
    bool is_source() const noexcept { return in_edges_.empty(); }
    bool is_sink() const noexcept { return out_edges_.empty(); }

    /// With Metrics::profile, when its last call was over, CLOCK_MONOTONIC; 0 before. On the thread that runs it.
    std::int64_t left_ns() const noexcept { return left_ns_; }

    TaskCounters& counters() noexcept { return counters_; }
    const TaskCounters& counters() const noexcept { return counters_; }
    /// What it does or waits for, for the watchdog.
    StepStatus state() const noexcept { return state_.load(std::memory_order_relaxed); }
    std::uint8_t blocked_port() const noexcept { return blocked_port_.load(std::memory_order_relaxed); }

    /// Somebody wants to hear of what changes on its streams.
    bool has_waker() const noexcept { return waker_ != nullptr; }
    bool is_at_hand() const noexcept { return waker_ != nullptr && waker_->is_at_hand(); }
    void wake(const Fenced& fenced) noexcept {
        if (waker_ != nullptr) waker_->wake(*this, fenced);
    }

    // Set by the run before the barrier, on the thread that will run the task where it matters. The log also later, by
    // the worker to which the task has moved.
    void set_waker(Waker* waker) noexcept { waker_ = waker; }
    void set_log(trace::Log* log) noexcept { log_ = log; }
    void set_metrics(Metrics metrics) noexcept { metrics_ = metrics; }
    void keep_alignment(bool keep) noexcept { keeps_alignment_ = keep; }
    void set_run_items(std::uint64_t items) noexcept { run_items_ = items; }
    /// Of a finite run, where a schedule counts instead of looking whether a stream has ended.
    void set_quota(Quota quota) noexcept { quota_ = quota; }
    /// From now on it puts down when its items came (first input), at a clock read a call.
    void keep_arrivals();
    std::span<const Arrival> arrivals() const noexcept;
    /// `observer` hears of it once, when it has consumed `items` items at its first input.
    void set_milestone(std::uint64_t items, MilestoneObserver* observer) noexcept {
        milestone_ = milestone_items_ = items;
        observer_ = observer;
    }

  protected:
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    explicit Instance(const NodeSpec& spec);

    // What the generated sources would else have for every type of block lies in the runtime's.
    /// In the order of its ports. `stream`: null where the edge is none.
    void joins_input(StreamBase* stream, const Edge* edge, std::size_t rate);
    void joins_output(StreamBase* stream, const Edge* edge, std::size_t rate);
    void arrived(std::uint64_t items) noexcept;  ///< only where arrivals are kept
    static void append(std::vector<std::byte>& to, const void* items, std::size_t bytes);

    NodeSpec spec_;
    std::vector<StreamBase*> inputs_;
    std::vector<StreamBase*> outputs_;
    std::vector<const Edge*> in_edges_;
    std::vector<const Edge*> out_edges_;
    std::vector<const Buffer*> memory_;
    std::vector<std::uint32_t> in_rates_;
    std::vector<std::uint32_t> out_rates_;
    TaskCounters counters_;
    std::int64_t left_ns_ = 0;
    std::atomic<StepStatus> state_{StepStatus::need_input};
    std::atomic<std::uint8_t> blocked_port_{0};
    Waker* waker_ = nullptr;
    trace::Log* log_ = nullptr;
    Metrics metrics_ = Metrics::none;
    bool keeps_alignment_ = false;
    std::uint64_t run_items_ = 0;
    Quota quota_;
    std::uint64_t milestone_ = kNever;  ///< not yet passed; of a replica, counted as its own items are
    std::uint64_t milestone_items_ = kNever;
    std::uint32_t replica_ = 0;
    std::vector<std::uint64_t> stretches_;
    std::uint64_t stretch_firings_ = 0;
    MilestoneObserver* observer_ = nullptr;
    std::unique_ptr<ArrivalLog> arrivals_;
};

/// An instance that a scheduler steps.
class Task : public Instance {
  public:
    /// Calls of `work`, of at most a chunk each, until it is blocked or over, or has as little left to move as it may leave; at most
    /// `steps` of them. Never on two threads at once: the scheduler's duty.
    virtual StepResult turn(int steps, Leave leave) noexcept = 0;
    StepResult step() noexcept { return turn(1, Leave::nothing); }
    Task* task() noexcept final { return this; }

  protected:
    using Instance::Instance;
};

}  // namespace weir
