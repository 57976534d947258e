#include "weir/stream.hpp"

#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace weir {
namespace {

/// Neighbouring linear buffers begin 17 cache lines apart modulo a page: a load and a store whose addresses agree in their
/// low 12 bits look dependent to the processor, and all of a page's lines share few cache sets.
std::size_t next_stagger() noexcept {
    constexpr std::size_t kLines = 17, kLinesPerPage = 64;
    static std::atomic<std::size_t> streams{0};
    return streams.fetch_add(1, std::memory_order_relaxed) * kLines % kLinesPerPage * kCacheLine;
}

/// A ring's fill is sampled at every 16th commit, because a fresh read index costs a transfer between cores.
constexpr std::uint64_t kRingSampleMask = 15;

}  // namespace

StreamBase::StreamBase(const StreamSpec& spec, std::size_t item_size)
    : spec_(spec), ring_(spec.kind == StreamKind::ring), alone_(!ring_ && spec.readers == 1), item_size_(item_size),
      readers_(std::make_unique<Reader[]>(spec.readers)), attached_(spec.readers),
      fills_(std::make_unique<Fill[]>(spec.readers)) {
    if (spec_.granule == 0)
        throw std::invalid_argument(std::string(spec_.name) + ": the granule of a stream must be at least 1");
    reserve(std::max<std::size_t>(spec_.items, 1));
    require(1);
}

StreamBase::~StreamBase() = default;

void StreamBase::reserve(std::size_t items) {
    if (items <= capacity_) return;
    if (under_ != nullptr || over_ != nullptr)
        throw std::logic_error(std::string(spec_.name) + ": memory that several streams share cannot grow");
    if (ring_) {
        const std::size_t mirror_step = std::lcm(page_size(), item_size_ * spec_.granule) / item_size_;
        const std::size_t mirrored_items = round_up(items, mirror_step);
        if (Buffer mirrored = Buffer::mirrored(mirrored_items * item_size_)) {
            buffer_ = std::move(mirrored);
            capacity_ = mirrored_items;
            span_end_ = 2 * capacity_;
            data_ = buffer_.data();
            return;
        }
    }
    capacity_ = round_up(items, spec_.granule);
    span_end_ = capacity_;
    buffer_ = Buffer::plain(capacity_ * item_size_, next_stagger());
    data_ = buffer_.data();
}

/// Raise the limit so that at least `items` fit.
void StreamBase::require(std::size_t items) {
    if (ring_) reserve(items);
    const bool grows = ring_ && spec_.least != 0;
    limit_.begin_with(grows ? std::min(std::max({least(), spec_.least, items}), capacity_) : capacity_);
}

void StreamBase::attach_writer(Instance& task, std::size_t chunk) {
    if (writer_task_ != nullptr) throw std::logic_error(std::string(spec_.name) + ": the stream already has a writer");
    writer_task_ = &task;
    if (ring_) gets_space_ = &task;
    require(2 * chunk);
}

StreamBase::Reader& StreamBase::attach_reader(Instance& task, std::size_t chunk) {
    if (readers_attached_ == spec_.readers) {
        throw std::logic_error(std::string(spec_.name) + ": the stream already has all its readers");
    }
    Reader& reader = readers_[readers_attached_++];
    reader.task = &task;
    require(2 * chunk);
    return reader;
}

void StreamBase::require_granule(std::size_t rate) const {
    if (spec_.granule % rate != 0) {
        throw std::logic_error(std::string(spec_.name) + ": granule " + std::to_string(spec_.granule) +
                               " is no multiple of the rate " + std::to_string(rate));
    }
}

void StreamBase::lie_over(StreamBase& upstream) {
    const bool fits = ring_ == upstream.ring_ && upstream.spec_.readers == 1 && upstream.item_size_ == item_size_ &&
                      (!ring_ || upstream.spec_.granule == spec_.granule) && upstream.capacity_ == capacity_ &&
                      upstream.span_end_ == span_end_ && upstream.over_ == nullptr && under_ == nullptr;
    if (!fits)
        throw std::logic_error(std::string(spec_.name) + ": cannot share the memory of " +
                               std::string(upstream.spec_.name));
    under_ = &upstream;
    upstream.over_ = this;
    alone_ = upstream.alone_ = false;
    buffer_ = Buffer{};
    for (StreamBase* stream = this; stream != nullptr; stream = stream->over_) stream->data_ = upstream.data_;
    for (StreamBase* stream = &upstream; stream != nullptr; stream = stream->under_) stream->last_ = last_;
    last_->gets_space_ = std::exchange(upstream.gets_space_, nullptr);
}

/// Return the stream that owns the memory.
const StreamBase& StreamBase::lowest() const noexcept {
    const StreamBase* lowest = this;
    while (lowest->under_ != nullptr) lowest = lowest->under_;
    return *lowest;
}

void StreamBase::end() noexcept {
    yield_point();
    ended_.store(true, std::memory_order_release);
    yield_point();
}

void StreamBase::detach(Reader& reader) noexcept {
    if (reader.detached.load(std::memory_order_relaxed)) return;
    reader.detached.store(true, std::memory_order_release);
    yield_point();
    attached_.fetch_sub(1, std::memory_order_release);
}

/// Return whether all readers of this stream and of the streams above it have read everything.
bool StreamBase::is_drained() const noexcept {
    return slowest_read() == write_.load(std::memory_order_relaxed) && (over_ == nullptr || over_->is_drained());
}

void StreamBase::compact(std::uint64_t write, std::uint64_t slowest) noexcept {
    const std::byte* const left = at(slowest - base_);
    rebase(slowest);
    std::memmove(data_, left, (write - slowest) * item_size_);
}

void StreamBase::keep_offsets() {
    if (ring_) {
        // The rings of a circuit have one size, and end where their readers are.
        if (under_ != nullptr || over_ != nullptr) return;
        // More than promised, because the space may end up to `aligned_items() - 1` items early.
        reserve(round_up(std::max(spec_.items, least()) + aligned_items(), std::lcm(spec_.granule, aligned_items())));
        require(1);
        keeps_offsets_ = true;
    } else if (under_ == nullptr) {
        alone_ = false;
        keeps_offsets_ = true;
        buffer_ = Buffer::plain((capacity_ + aligned_items()) * item_size_ + kAlignment, next_stagger());
        move_data(0);
    }
}

/// Put position 0 of the streams that share this memory where the item of this index keeps its offset.
void StreamBase::move_data(std::uint64_t index) noexcept {
    std::byte* const data = buffer_.data() + index * item_size_ % kAlignment;
    for (StreamBase* stream = this; stream != nullptr; stream = stream->over_) stream->data_ = data;
    span_end_ = static_cast<std::size_t>(round_up(index + capacity_, aligned_items()) - index);
}

/// Same as `space_left`, but the space ends at an aligned item. The limit gains or, if the memory ends, loses less than
/// `aligned_items()` items.
std::uint64_t StreamBase::aligned_space_left(std::uint64_t write) const noexcept {
    const std::uint64_t end = std::min(round_up(known_read_ + limit(), aligned_items()),
                                       (known_read_ + capacity_) / aligned_items() * aligned_items());
    return end > write ? end - write : 0;
}

void StreamBase::sample_fill() noexcept {
    const bool counted = !ring_ || (commits_++ & kRingSampleMask) == 0;
    const std::int64_t now_ns = over_time_ ? writer_task_->left_ns() : 0;
    const bool due = over_time_ && over_time_->is_due(now_ns);
    if (!counted && !due) return;
    const std::uint64_t write = write_.load(std::memory_order_relaxed);
    const auto add = [](std::atomic<std::uint64_t>& to, std::uint64_t n) {
        to.store(to.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    };
    for (std::size_t i = 0; i < spec_.readers; ++i) {
        if (detached(i)) continue;
        const std::uint64_t lies = write - readers_[i].read.load(std::memory_order_relaxed);
        if (due) over_time_->add(i, now_ns, lies, limit());
        if (!counted) continue;
        add(fills_[i].sum, lies);
        add(fills_[i].limits, limit());
    }
}

std::uint64_t StreamBase::fill(std::size_t reader) const noexcept {
    // Read the read index first and limit the result to the capacity, because the two indices are read at different times.
    const std::uint64_t read = readers_[reader].read.load(std::memory_order_relaxed);
    const std::uint64_t write = write_.load(std::memory_order_relaxed);
    return write > read ? std::min<std::uint64_t>(write - read, capacity_) : 0;
}

std::uint64_t StreamBase::fill() const noexcept {
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < spec_.readers; ++i) {
        if (!detached(i)) most = std::max(most, fill(i));
    }
    return most;
}

std::optional<double> StreamBase::fill_mean(std::size_t reader) const noexcept {
    const std::uint64_t limits = fills_[reader].limits.load(std::memory_order_relaxed);
    if (limits == 0) return std::nullopt;
    // The fill may exceed the limit after the limit fell.
    return std::min(
        1.0, static_cast<double>(fills_[reader].sum.load(std::memory_order_relaxed)) / static_cast<double>(limits));
}

std::optional<FillOverTime> StreamBase::fill_over_time(std::size_t reader) const {
    return over_time_ ? over_time_->of(reader) : std::nullopt;
}

}  // namespace weir
