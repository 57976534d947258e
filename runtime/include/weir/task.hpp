// An instance, as the program sees it: name, counters, start and stop, printable state, and waker. A task, as the
// scheduler that steps it sees it: one virtual call per turn.
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

/// Connection of an output with inputs: a stream, or a place in an arena. Identified by its address.
class Edge {
  protected:
    Edge() = default;
    ~Edge() = default;
};

/// Properties of an instance that the generator knows. The names and lists must outlive the task (`lists.hpp`).
struct NodeSpec {
    std::string_view name;  ///< instance name, `stage[2]@p3`
    std::uint32_t index = 0;  ///< position in the plan; the `block` field of its trace events
    std::size_t chunk_items = 4096;  ///< most items that a call is offered on any port (at least one firing)
    std::span<const std::uint32_t> in_rates = {};  ///< items per firing, by input port; empty = 1 everywhere
    std::span<const std::uint32_t> out_rates = {};
    /// Items between two events at the first port: rx of a block with inputs, tx of a source; 0: no probe.
    std::uint64_t probe_granularity = 0;
    /// Items between two tx of a probed block that also has inputs, if its rates differ; 0: as probe_granularity.
    std::uint64_t tx_granularity = 0;
    bool ends_at_run_items = false;  ///< a source that no head bounds
    bool in_place = false;  ///< its output overwrites its input: one input, one output
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

/// Result of a step, or of the last step of a turn. Small enough to return in two registers.
struct StepResult {
    StepStatus status = StepStatus::progress;
    std::uint8_t port = 0;  ///< need_input: index into `inputs()`; need_output: into `outputs()`
    bool more = false;  ///< with progress: another step can move items without other changes
    bool moved = false;  ///< an item moved in the turn, or the task is over
    std::uint32_t items = 0;  ///< items moved in these calls: the larger of items in and items out, at the first ports
    std::int64_t wake_ns = 0;  ///< with `wait`

    bool is_over() const noexcept { return status == StepStatus::done || status == StepStatus::error; }
};
static_assert(sizeof(StepResult) == 16);

/// Items that a task may leave in its streams. `some`: so few that they would make the next calls short, because
/// another turn with more items follows soon.
enum class Leave : std::uint8_t { nothing, some };

/// Notification of the worker that runs the task at the other end of a stream.
class Waker {
  public:
    virtual void wake(Instance& instance, const Fenced& fenced) noexcept = 0;
    /// Return whether a thread would run the task at once. If not, waking it before the turn ends gains nothing and
    /// costs time: its worker would follow the writer from cache line to cache line.
    virtual bool is_at_hand() const noexcept { return true; }

  protected:
    ~Waker() = default;
};

/// Observer of milestones. Each watched sink calls it once, on the worker that runs the sink.
class MilestoneObserver {
  public:
    virtual void milestone(Instance& instance) noexcept = 0;

  protected:
    ~MilestoneObserver() = default;
};

/// Counters of one instance. The worker that runs it writes them; watchdog and results read them. Relaxed atomics,
/// single writer.
struct TaskCounters {
    std::atomic<std::uint64_t> items_in{0};  ///< first input port
    std::atomic<std::uint64_t> items_out{0};  ///< first output port
    std::atomic<std::uint64_t> busy_ns{0};  ///< only with Metrics::profile
    std::atomic<std::uint64_t> tail_items{0};
    std::atomic<std::uint64_t> unaligned_calls{0};  ///< with items at an unaligned address; as `items_per_call`
    /// Calls by items moved, see histogram.hpp; from Metrics::counters on. A separate counter of calls would cost
    /// another store in each call.
    std::array<std::atomic<std::uint64_t>, histogram::kBuckets> items_per_call{};

    std::uint64_t calls() const noexcept {
        return std::accumulate(items_per_call.begin(), items_per_call.end(), std::uint64_t{0});
    }
};

/// Instance of a block. Its cache lines belong to its worker only: a worker writes its instances in each call, and
/// a line shared with another worker would cost a transfer each time.
class alignas(kCacheLine) Instance {
  public:
    /// Number of firings in a run, and the items of an incomplete firing that are left at its inputs.
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

    /// Return the rate that a paced source offers at its first output. Absent for other blocks.
    virtual std::optional<double> offered_items_per_s() const { return std::nullopt; }
    /// Return the time between two bursts of a block that emits bursts; 0 for other blocks.
    virtual double burst_ns() const { return 0; }

    /// Switch to verification: sources emit the counter pattern and sinks compute digests, whatever their blocks do.
    virtual void verify() noexcept = 0;
    /// Append the bytes of every item that the block writes to the stream `output`, before they are published. Returns
    /// false if it has no such output. `to` must outlive the run.
    virtual bool tap(std::string_view output, std::vector<std::byte>& to) = 0;

    /// Publish all moved items on its rings, before its worker waits. Only instances of a fixed schedule do so; others
    /// publish at once.
    virtual void hand_over() noexcept {}

    /// Return whether its calls are timed. In a loop of several blocks, only the last block is, for all of them.
    virtual bool is_timed() const noexcept { return true; }

    /// Return whether a peer runtime calls it.
    virtual bool is_hosted() const noexcept { return false; }
    /// Return whether its calls are counted. Those of a peer runtime's native block are not.
    virtual bool is_counted() const noexcept { return true; }
    /// Return whether its items are counted. Not all native blocks report theirs.
    virtual bool knows_items() const noexcept { return true; }

    /// Number of its replica (`replicated.hpp`).
    std::uint32_t replica() const noexcept { return replica_; }
    void set_replica(std::uint32_t number) noexcept { replica_ = number; }
    /// Return the stretches that it processed, in order, if an output is tapped, and its firings per stretch.
    std::span<const std::uint64_t> stretches() const noexcept { return stretches_; }
    std::uint64_t stretch_firings() const noexcept { return stretch_firings_; }

    /// Return the task if a scheduler steps it; null if a fixed schedule fires it.
    virtual Task* task() noexcept { return nullptr; }

    const NodeSpec& spec() const noexcept { return spec_; }
    std::span<StreamBase* const> inputs() const noexcept { return inputs_; }
    std::span<StreamBase* const> outputs() const noexcept { return outputs_; }  ///< connected ones only
    /// Connected ports, including places in arenas.
    std::span<const Edge* const> in_edges() const noexcept { return in_edges_; }
    std::span<const Edge* const> out_edges() const noexcept { return out_edges_; }
    std::span<const std::uint32_t> in_rates() const noexcept { return in_rates_; }  ///< as in_edges()
    std::span<const std::uint32_t> out_rates() const noexcept { return out_rates_; }  ///< as out_edges()
    /// Return its memory besides that of its streams.
    std::span<const Buffer* const> memory() const noexcept { return memory_; }
    bool is_source() const noexcept { return in_edges_.empty(); }
    bool is_sink() const noexcept { return out_edges_.empty(); }

    /// Return the end of its last call, CLOCK_MONOTONIC, with Metrics::profile; 0 before the first. On the thread that
    /// runs it.
    std::int64_t left_ns() const noexcept { return left_ns_; }

    TaskCounters& counters() noexcept { return counters_; }
    const TaskCounters& counters() const noexcept { return counters_; }
    /// Return the state for the watchdog.
    StepStatus state() const noexcept { return state_.load(std::memory_order_relaxed); }
    std::uint8_t blocked_port() const noexcept { return blocked_port_.load(std::memory_order_relaxed); }

    /// Set the waker that changes on its streams notify.
    bool has_waker() const noexcept { return waker_ != nullptr; }
    bool is_at_hand() const noexcept { return waker_ != nullptr && waker_->is_at_hand(); }
    void wake(const Fenced& fenced) noexcept {
        if (waker_ != nullptr) waker_->wake(*this, fenced);
    }

    // The run sets these before the barrier, if necessary on the thread that will run the task. When a task moves, its
    // new worker sets the log again.
    void set_waker(Waker* waker) noexcept { waker_ = waker; }
    void set_log(trace::Log* log) noexcept { log_ = log; }
    void set_metrics(Metrics metrics) noexcept { metrics_ = metrics; }
    void keep_alignment(bool keep) noexcept { keeps_alignment_ = keep; }
    void set_run_items(std::uint64_t items) noexcept { run_items_ = items; }
    /// Set the quota of a finite run, for schedules that count items instead of detecting the end of streams.
    void set_quota(Quota quota) noexcept { quota_ = quota; }
    /// Record arrivals at the first input from now on, at the cost of one clock read per call.
    void keep_arrivals();
    std::span<const Arrival> arrivals() const noexcept;
    /// Notify `observer` once, when it has consumed `items` items at its first input.
    void set_milestone(std::uint64_t items, MilestoneObserver* observer) noexcept {
        milestone_ = milestone_items_ = items;
        observer_ = observer;
    }

  protected:
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    explicit Instance(const NodeSpec& spec);

    // Defined in the runtime, so that generated sources do not compile them for every type of block.
    /// Add a port, in order. `stream`: null if the connection is not a stream.
    void joins_input(StreamBase* stream, const Edge* edge, std::size_t rate);
    void joins_output(StreamBase* stream, const Edge* edge, std::size_t rate);
    void arrived(std::uint64_t items) noexcept;  ///< only if arrivals are recorded
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
    std::uint64_t milestone_ = kNever;  ///< own items at which the milestone is reached; kNever once it has passed
    std::uint64_t milestone_items_ = kNever;
    std::uint32_t replica_ = 0;
    std::vector<std::uint64_t> stretches_;
    std::uint64_t stretch_firings_ = 0;
    MilestoneObserver* observer_ = nullptr;
    std::unique_ptr<ArrivalLog> arrivals_;
};

/// Instance that a scheduler steps.
class Task : public Instance {
  public:
    /// Call `work`, with at most a chunk each, until the task is blocked or over, or has as few items left as it may
    /// leave; at most `steps` calls. The scheduler must not call it on two threads at once.
    virtual StepResult turn(int steps, Leave leave) noexcept = 0;
    StepResult step() noexcept { return turn(1, Leave::nothing); }
    Task* task() noexcept final { return this; }

  protected:
    using Instance::Instance;
};

}  // namespace weir
