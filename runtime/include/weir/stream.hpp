// Stream that joins one output port to one or more input ports. It has one writer; each reader has its own index.
//
// Indices are 64-bit counts that never wrap. A position in the buffer is `index - base`; each end keeps its own base.
//
//     ring     ends on different workers, or in different jobs. When a position passes the capacity, its base advances
//              by the capacity. Mirrored memory makes every span contiguous; without it, a span ends at the buffer's
//              end. The writer may use less than the capacity (`ring_limit.hpp`).
//     linear   ends on one worker, or in one job. When the readers have drained the stream, all bases jump to the write
//              index, so the next chunk is written where the last one was read: in L1.
//     circuit  streams of one kind that share one memory, because the writer of each works in place on the one below.
//              The writer of the lowest stream gets space back when the readers of the last stream have read. A ring of
//              a circuit may begin and end on one worker (`within`); then no thread waits for it or is woken.
//
// A table in the generated code sets the kind of each stream, and a stream joins a circuit when its writer is wired. So
// one type implements both kinds, with separate member functions where they differ.
//
// With the setting `alignment`, streams keep offsets: where an item lies in a cache line follows from its index alone, as
// in a ring of whole pages. A block that writes one item for each that it reads then has both ends aligned at once,
// whether they are linear or rings.
//
// The capacity is a multiple of `granule`, the least common multiple of the rates on the stream. A firing begins at a
// multiple of its rate, so the buffer's end never splits a firing.
//
// Memory orders. Stores of indices and flags release the items that they announce, and loads of the other end's indices
// and flags acquire them. This suffices while no thread sleeps. To prevent lost wake-ups, the loads are seq_cst, and a
// writer passes a fence before it looks for sleepers (`wait.hpp`). One fence covers all items of a turn, so a commit
// costs a plain store. Both ends of a linear stream belong to one thread at a time, and are handed over together
// (`task_state.hpp`). Its indices are atomic only for the watchdog.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>

#include "weir/alignment.hpp"
#include "weir/atomic.hpp"
#include "weir/fenced.hpp"
#include "weir/fill_series.hpp"
#include "weir/memory.hpp"
#include "weir/plan.hpp"
#include "weir/ring_limit.hpp"
#include "weir/task.hpp"
#include "weir/yield_point.hpp"

namespace weir {

struct StreamSpec {
    std::string_view name;  ///< output port, `source.out`
    std::size_t items = 8192;  ///< requested size; `StreamBase::capacity` is the granted one
    StreamKind kind = StreamKind::ring;
    std::size_t readers = 1;
    std::size_t granule = 1;  ///< least common multiple of the rates on the stream
    std::size_t least = 0;  ///< ring only: items that even a slow ring may hold; 0: the whole capacity
    bool within = false;  ///< ring only: both ends are on one worker, as part of a circuit
};

class StreamBase : public Edge {
  public:
    /// One reader's end. The fields that the writer loads have their own cache line. The others are for the reader
    /// only.
    struct alignas(kCacheLine) Reader {
        atomic<std::uint64_t> read{0};
        atomic<bool> detached{false};

        alignas(kCacheLine) std::uint64_t known_write =
            0;  ///< cached write index; if it suffices, the reader does not load the writer's line
        std::uint64_t base = 0;
        bool known_ended = false;  ///< `known_write` is the last index
        Instance* task = nullptr;
    };

    /// Items or space at one end: `total` items, of which the first `contiguous` lie in one span.
    struct Window {
        std::uint64_t total;
        std::size_t contiguous;
        bool ended;  ///< reader only: no more items than `total` will come
    };

    StreamBase(const StreamBase&) = delete;
    StreamBase& operator=(const StreamBase&) = delete;

    std::string_view name() const noexcept { return spec_.name; }
    StreamKind kind() const noexcept { return spec_.kind; }
    bool mirrored() const noexcept { return lowest().buffer_.is_mirrored(); }
    std::size_t item_size() const noexcept { return item_size_; }
    std::size_t capacity() const noexcept { return capacity_; }  ///< granted capacity in items
    std::size_t requested() const noexcept { return spec_.items; }
    /// Return the largest number of items that the stream may hold now. Any thread.
    std::size_t limit() const noexcept { return limit_.now(); }
    std::size_t least() const noexcept { return limit_.least(); }
    /// Return the number of items from which it pays to publish progress before a turn ends, which moves a cache line
    /// between cores. Likewise to wake a thread at the other end that would respond at once, so that both ends work at
    /// the same time.
    std::size_t batch() const noexcept { return limit() / 8; }
    /// Return the number of items that a worker with a fixed schedule may leave unpublished. It is small for a ring in
    /// a slow chain. The ends of a circuit publish at once, because space travels through all its streams.
    std::size_t keeps() const noexcept {
        return least() == capacity_ || under_ != nullptr || over_ != nullptr ? 0 : batch();
    }
    const Buffer& buffer() const noexcept { return buffer_; }

    // For the watchdog and the results: momentary values, from any thread.
    Instance* writer_task() const noexcept { return writer_task_; }
    std::size_t readers() const noexcept { return spec_.readers; }
    Instance* reader_task(std::size_t reader) const noexcept { return readers_[reader].task; }
    bool ended() const noexcept { return ended_.load(std::memory_order_relaxed); }
    bool detached(std::size_t reader) const noexcept {
        return readers_[reader].detached.load(std::memory_order_relaxed);
    }
    const StreamBase* over() const noexcept { return over_; }  ///< downstream stream that shares this one's memory
    std::uint64_t fill() const noexcept;  ///< items that the slowest reader has not read
    std::uint64_t fill(std::size_t reader) const noexcept;
    /// Return the mean share of the limit that was filled, from samples at commits. Absent: not measured.
    std::optional<double> fill_mean(std::size_t reader) const noexcept;
    /// Return the fill over the run. Absent unless `keep_fill_over_time` was called.
    std::optional<FillOverTime> fill_over_time(std::size_t reader) const;

    // Wiring, before the run. `chunk`: most items that the end moves at once. A ring holds at least two of the largest
    // chunk. These functions throw std::logic_error if all such ends are taken, or if the rates do not fit the stream.
    void attach_writer(Instance& task, std::size_t chunk);
    Reader& attach_reader(Instance& task, std::size_t chunk);
    void require_granule(std::size_t rate) const;
    /// Share the memory of `upstream`: items written here replace the items read there. The writer of this stream must
    /// be the only reader of `upstream` and write one item for each that it reads. Both must be linear, or both rings,
    /// with the same capacity, granule and item size.
    void lie_over(StreamBase& upstream);
    /// Record the fill over time, with the clock that the writer reads after each call. A linear stream does not record
    /// it: its fill follows from the order in which the worker runs both ends.
    void keep_fill_over_time() {
        if (ring_) over_time_ = std::make_unique<FillSeries>(spec_.readers);
    }
    /// Give each item the offset from a multiple of `kAlignment` that its index determines, and end the space at such a
    /// multiple. Then blocks that write one item for each that they read have both aligned, or neither. Call it once the
    /// streams are wired, before the first item.
    void keep_offsets();
    void begin(std::int64_t barrier_ns) noexcept {
        if (over_time_) over_time_->begin(barrier_ns);
    }

    // These functions wake threads that sleep at the other end, after one fence for any number of changes (`wait.hpp`).
    // The `wakes_` functions return false if no thread needs to be woken.
    bool wakes_readers() const noexcept;
    void wake_readers(const Fenced& fenced) noexcept;
    bool has_reader_at_hand() const noexcept;  ///< any of the readers that `wakes_readers` wakes
    bool wakes_writer() const noexcept { return gets_space_ != nullptr && gets_space_->has_waker(); }
    void wake_writer(const Fenced& fenced) noexcept { gets_space_->wake(fenced); }
    bool has_writer_at_hand() const noexcept { return writer_task_->is_at_hand(); }

    // Writer's end. If a linear stream has less space than `wanted`, it makes as much space as it can once less than
    // `least` is left.
    Window writable(std::size_t wanted, std::size_t least) noexcept;
    void produce(std::size_t n) noexcept;
    void end() noexcept;
    /// Return whether every reader has detached. A stream without readers is not closed.
    bool closed() const noexcept { return attached_.load(std::memory_order_seq_cst) == 0 && spec_.readers != 0; }
    void sample_fill() noexcept;

    // Reader's end.
    Window readable(Reader& reader, std::size_t wanted) noexcept;
    void consume(Reader& reader, std::size_t n) noexcept;
    void detach(Reader& reader) noexcept;

    // Address of the next item of an end, valid until the next call on that end.
    std::byte* write_bytes() noexcept { return at(write_.load(std::memory_order_relaxed) - base_); }
    const std::byte* read_bytes(const Reader& reader) const noexcept {
        return at(reader.read.load(std::memory_order_relaxed) - reader.base);
    }

  protected:
    StreamBase(const StreamSpec& spec, std::size_t item_size);
    ~StreamBase();  // protected: a stream is never deleted through its base

  private:
    /// Samples of one reader's fill. The writer writes them while that reader is attached.
    struct Fill {
        std::atomic<std::uint64_t> sum{0};
        std::atomic<std::uint64_t> limits{0};  ///< sum of the limits at the samples
    };

    /// Share of the capacity (1/8) that is cheaper to move to the front than to make short calls for.
    static constexpr std::uint64_t kCheapToMove = 8;

    const StreamBase& lowest() const noexcept;
    void reserve(std::size_t items);
    void require(std::size_t items);
    std::byte* at(std::uint64_t position) const noexcept {
        return data_ + static_cast<std::size_t>(position) * item_size_;
    }
    std::uint64_t slowest_read() const noexcept;

    Window ring_writable(std::size_t wanted) noexcept;
    Window ring_readable(Reader& reader, std::size_t wanted) noexcept;
    std::uint64_t space_left(std::uint64_t write) const noexcept;
    std::uint64_t aligned_space_left(std::uint64_t write) const noexcept;
    /// Return whether this is the last ring of a circuit and all its readers have left. Then its writer frees the
    /// space.
    bool is_left_unread() const noexcept { return under_ != nullptr && over_ == nullptr && closed(); }

    Window linear_writable(std::size_t wanted, std::size_t least) noexcept;
    Window linear_readable(const Reader& reader) const noexcept;
    static bool is_read_up_to(std::uint64_t write, const Reader& reader) noexcept;
    bool is_drained() const noexcept;
    void rebase(std::uint64_t base) noexcept;
    std::size_t aligned_items() const noexcept { return kAlignment / std::gcd(kAlignment, item_size_); }
    void move_data(std::uint64_t index) noexcept;
    void compact(std::uint64_t write, std::uint64_t slowest) noexcept;

    // These fields are constant during the run, except `attached_`, which changes a few times, and `limit_`, which the
    // writer changes once per pass through the buffer. Both ends read this cache line at every commit.
    StreamSpec spec_;
    bool ring_;
    bool alone_;  ///< linear, one reader, own memory, any offset: the usual stream within a worker
    bool keeps_offsets_ = false;  ///< the stream that owns the memory keeps offsets
    // Circuit only: the stream whose memory this one shares, the stream that shares this one's, and the last stream.
    StreamBase* under_ = nullptr;
    StreamBase* over_ = nullptr;
    StreamBase* last_ = this;
    std::size_t item_size_;
    std::size_t capacity_ = 0;
    /// Position at which a span must end: the end of the mirror or of the buffer. It changes with `data_`.
    std::size_t span_end_ = 0;
    Buffer buffer_;
    std::byte* data_ = nullptr;  ///< position 0; a linear stream that keeps offsets moves it at each rebase
    std::unique_ptr<Reader[]> readers_;
    std::size_t readers_attached_ = 0;
    Instance* writer_task_ = nullptr;
    /// Instance that the readers of a ring wake: its writer. In a circuit, only the last ring has such an instance: the
    /// writer of the lowest ring.
    Instance* gets_space_ = nullptr;
    atomic<std::size_t> attached_;
    RingLimit limit_;

    // Cache line that only the writer uses.
    alignas(kCacheLine) std::uint64_t known_read_ = 0;  ///< cached index of the slowest reader
    std::uint64_t base_ = 0;
    std::uint64_t commits_ = 0;
    std::unique_ptr<Fill[]> fills_;
    std::unique_ptr<FillSeries> over_time_;

    // Cache line that readers load.
    alignas(kCacheLine) atomic<std::uint64_t> write_{0};
    atomic<bool> ended_{false};
};

static_assert(kCheckedAtomics || (alignof(StreamBase) == kCacheLine && sizeof(StreamBase::Reader) == 2 * kCacheLine));

template <class T> class Stream : public StreamBase {
  public:
    explicit Stream(const StreamSpec& spec) : StreamBase(spec, sizeof(T)) {}

    T* write_data() noexcept { return reinterpret_cast<T*>(write_bytes()); }
    const T* read_data(const Reader& reader) const noexcept { return reinterpret_cast<const T*>(read_bytes(reader)); }
};

inline std::uint64_t StreamBase::slowest_read() const noexcept {
    // For a ring above another one, another thread calls this. Once all readers have left, the ring's writer frees the
    // space.
    std::uint64_t slowest =
        ring_ && under_ != nullptr ? write_.load(std::memory_order_seq_cst) : write_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < spec_.readers; ++i) {
        const Reader& reader = readers_[i];
        if (!reader.detached.load(std::memory_order_seq_cst)) {
            slowest = std::min(slowest, reader.read.load(std::memory_order_seq_cst));
        }
    }
    return slowest;
}

/// Return whether the reader has read everything. For linear streams, whose ends share one thread.
inline bool StreamBase::is_read_up_to(std::uint64_t write, const Reader& reader) noexcept {
    return reader.read.load(std::memory_order_relaxed) == write || reader.detached.load(std::memory_order_relaxed);
}

/// Return the space. It is 0 if the limit has fallen below the number of items in the stream.
inline std::uint64_t StreamBase::space_left(std::uint64_t write) const noexcept {
    const std::uint64_t lies = write - known_read_, most = limit();
    return lies < most ? most - lies : 0;
}

inline StreamBase::Window StreamBase::writable(std::size_t wanted, std::size_t least) noexcept {
    return ring_ ? ring_writable(wanted) : linear_writable(wanted, least);
}

inline StreamBase::Window StreamBase::ring_writable(std::size_t wanted) noexcept {
    const std::uint64_t write = write_.load(std::memory_order_relaxed);
    std::uint64_t space = 0;
    if (under_ != nullptr) {
        space = capacity_;  // the shared memory has space for every item that is read
    } else if (space = space_left(write); space < wanted) {
        known_read_ = last_->slowest_read();
        space = space_left(write);
        if (keeps_offsets_) [[unlikely]]
            space = aligned_space_left(write);
    }
    return {space, static_cast<std::size_t>(std::min<std::uint64_t>(space, span_end_ - (write - base_))), false};
}

inline StreamBase::Window StreamBase::linear_writable(std::size_t wanted, std::size_t least) noexcept {
    const std::uint64_t write = write_.load(std::memory_order_relaxed);
    if (alone_ && is_read_up_to(write, readers_[0])) [[likely]] {
        base_ = readers_[0].base = write;
        return {capacity_, capacity_, false};
    }
    // A stream on another one's memory has space for every item that is read there, so its writer never lacks space.
    if (under_ != nullptr) return {capacity_, capacity_, false};
    const std::uint64_t slowest = last_->slowest_read();
    if (over_ != nullptr && closed()) [[unlikely]] {
        // Items of the stream above keep their memory until they are read. Then no other stream uses it.
        if (over_->is_drained()) base_ = write;
    } else if (slowest == write) {
        rebase(write);
    } else if (const std::uint64_t space_left = span_end_ - (write - base_);
               slowest != base_ && space_left < wanted &&
               (space_left < least || write - slowest <= capacity_ / kCheapToMove)) {
        // Few items are left on purpose (`InPort::low`), or the readers cannot drain them before more arrive, as at a
        // join that waits for its other input.
        compact(write, slowest);
    }
    const std::uint64_t space = span_end_ - (write - base_);
    return {space, static_cast<std::size_t>(space), false};
}

inline void StreamBase::produce(std::size_t n) noexcept {
    const std::uint64_t write = write_.load(std::memory_order_relaxed) + n;
    if (ring_) {
        if (write - base_ >= capacity_) {
            base_ += capacity_;
            if (least() != capacity_) limit_.measure(capacity_);
        }
        yield_point();
    }
    write_.store(write, std::memory_order_release);
    yield_point();
}

inline StreamBase::Window StreamBase::readable(Reader& reader, std::size_t wanted) noexcept {
    return ring_ ? ring_readable(reader, wanted) : linear_readable(reader);
}

inline StreamBase::Window StreamBase::linear_readable(const Reader& reader) const noexcept {
    const std::uint64_t total = write_.load(std::memory_order_relaxed) - reader.read.load(std::memory_order_relaxed);
    return {total, static_cast<std::size_t>(total), ended_.load(std::memory_order_relaxed)};
}

inline StreamBase::Window StreamBase::ring_readable(Reader& reader, std::size_t wanted) noexcept {
    const std::uint64_t read = reader.read.load(std::memory_order_relaxed);
    if (reader.known_write - read < wanted && !reader.known_ended) {
        // Load `ended` first: if it is set, the index loaded after it is final. In the other order, the reader would
        // miss items written between the two loads.
        reader.known_ended = ended_.load(std::memory_order_seq_cst);
        yield_point();
        reader.known_write = write_.load(std::memory_order_seq_cst);
    }
    const std::uint64_t total = reader.known_write - read;
    const std::uint64_t contiguous = std::min<std::uint64_t>(total, span_end_ - (read - reader.base));
    return {total, static_cast<std::size_t>(contiguous), reader.known_ended};
}

inline void StreamBase::consume(Reader& reader, std::size_t n) noexcept {
    const std::uint64_t read = reader.read.load(std::memory_order_relaxed) + n;
    if (ring_) {
        if (read - reader.base >= capacity_) reader.base += capacity_;
        yield_point();
    }
    reader.read.store(read, std::memory_order_release);
    yield_point();
}

inline void StreamBase::rebase(std::uint64_t base) noexcept {
    for (StreamBase* stream = this; stream != nullptr; stream = stream->over_) {
        stream->base_ = base;
        for (std::size_t i = 0; i < stream->spec_.readers; ++i) stream->readers_[i].base = base;
    }
    if (keeps_offsets_) [[unlikely]]
        move_data(base);
}

inline bool StreamBase::wakes_readers() const noexcept {
    if (!ring_ || (spec_.within && !is_left_unread())) return false;
    for (std::size_t i = 0; i < spec_.readers; ++i) {
        if (readers_[i].task != nullptr && readers_[i].task->has_waker()) return true;
    }
    return false;
}

inline bool StreamBase::has_reader_at_hand() const noexcept {
    for (std::size_t i = 0; i < spec_.readers; ++i) {
        if (readers_[i].task != nullptr && readers_[i].task->is_at_hand()) return true;
    }
    return false;
}

inline void StreamBase::wake_readers(const Fenced& fenced) noexcept {
    if (is_left_unread()) wake_writer(fenced);
    for (std::size_t i = 0; i < spec_.readers; ++i) {
        if (readers_[i].task != nullptr) readers_[i].task->wake(fenced);
    }
}

}  // namespace weir
