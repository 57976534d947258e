// A block of Weir's under GNU Radio. What no block should have to care about is `weir/hosted.hpp`, as under Weir's own schedulers: its
// start and end, run length, probes, counters, the pattern and the digest of a verification. When it is called, and what it is then
// offered, GNU Radio decides.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "hosted/guest.hpp"
#include "weir/hosted.hpp"

namespace weir::gnuradio3 {

/// One end of a connection, as `weir/hosted.hpp` wants it.
struct Input {
    gr::block* block = nullptr;
    int number = 0;
    const Connection* connection = nullptr;

    const Edge* edge() const noexcept { return connection; }
    void commit(std::size_t n) noexcept {
        if (n != 0) block->consume(number, static_cast<int>(n));
    }
    void finish() noexcept {}
};

struct Output {
    gr::block* block = nullptr;
    int number = 0;
    Connection* connection = nullptr;  ///< null: nobody reads it, and GNU Radio has no port for it

    const Edge* edge() const noexcept { return connection; }
    std::string_view name() const noexcept { return connection->spec().name; }
    void commit(std::size_t n, bool) noexcept {
        if (n != 0 && connection != nullptr) block->produce(number, static_cast<int>(n));
    }
    void finish() noexcept {}
};

template <Block B> class Node final : public Hosted<B, Instance>, public Guest {
    using Base = Hosted<B, Instance>;
    using typename Base::Work;
    using Base::in_rate, Base::items_out_, Base::kIns, Base::kNever, Base::kOuts, Base::limit_, Base::out_rate;
    using InIndices = std::make_index_sequence<kIns>;
    using OutIndices = std::make_index_sequence<kOuts>;
    template <std::size_t I> using InItem = std::tuple_element_t<I, typename Work::Inputs>;
    template <std::size_t O> using OutItem = std::tuple_element_t<O, typename Work::Outputs>;

  public:
    /// `type`: what GNU Radio calls such blocks. An output that nobody reads has no connection.
    Node(std::string_view type, const NodeSpec& spec, typename B::Params params, const std::array<Connection*, kIns>& ins,
         const std::array<Connection*, kOuts>& outs)
        : Base(spec) {
        this->block_.params = std::move(params);
        std::vector<int> in_bytes, out_bytes;
        bind(ins, outs, in_bytes, out_bytes, InIndices{}, OutIndices{});
        face_ = gnuradio::make_block_sptr<Face>(*this, std::string(type), std::string(spec.name), in_bytes, out_bytes);
        for (Input& in : ins_) in.block = face_.get();
        for (Output& out : outs_) out.block = face_.get();
        if constexpr (kOuts != 0) {
            if (busiest() > 1) face_->set_output_multiple(static_cast<int>(busiest()));
            if constexpr (kIns != 0) face_->set_relative_rate(out_rate(0), in_rate(0));
        }
        Base::joins(ins_, outs_);
    }

    ~Node() override = default;

    /// What is connected and asked for its settings.
    operator gr::basic_block_sptr() const { return face_; }  // NOLINT: implicit, as blocks of GNU Radio's are
    gr::block* operator->() const noexcept { return face_.get(); }

    bool tap(std::string_view output, std::vector<std::byte>& to) override { return Base::tap(outs_, output, to); }

    void join(Run& run, std::size_t worker) noexcept override {
        run_ = &run;
        worker_ = worker;
    }

    void enter() noexcept override { run_->enter(worker_); }

    void leave() noexcept override {
        if (!failed_ && !run_->stopping()) {
            if constexpr (kIns != 0) {
                std::size_t tail = 0;
                for (const Input& in : ins_) tail = std::max(tail, static_cast<std::size_t>(reader(in).items_available()));
                // What is left behind an end that the block itself has made is no tail.
                if (!over_) Base::add(this->counters_.tail_items, tail);
            }
            this->state_.store(StepStatus::done, std::memory_order_relaxed);
            run_->task_done(*this);
        }
        run_->leave(worker_);
    }

    void read_back() noexcept override {
        for (const Output& out : outs_) {
            if (out.connection != nullptr && face_->detail()) out.connection->grant(face_->detail()->output(out.number)->bufsize());
        }
    }

    void forecast(gr_vector_int& inputs) const noexcept override {
        for (std::size_t i = 0; i < kIns; ++i) inputs[i] = static_cast<int>(wants_[i]);
    }

    int work(int outputs, gr_vector_int& inputs, gr_vector_const_void_star& in, gr_vector_void_star& out) noexcept override {
        return work(outputs, inputs, in, out, InIndices{}, OutIndices{});
    }

  private:
    template <std::size_t... I, std::size_t... O>
    void bind(const std::array<Connection*, kIns>& ins, const std::array<Connection*, kOuts>& outs, std::vector<int>& in_bytes,
              std::vector<int>& out_bytes, std::index_sequence<I...>, std::index_sequence<O...>) {
        const auto input = [&](std::size_t number, std::size_t bytes) {
            ins_[number] = {nullptr, static_cast<int>(number), ins[number]};
            in_bytes.push_back(static_cast<int>(bytes));
            wants_[number] = in_rate(number);
        };
        const auto output = [&](std::size_t number, std::size_t bytes) {
            outs_[number] = {nullptr, static_cast<int>(out_bytes.size()), outs[number]};
            if (outs[number] != nullptr) out_bytes.push_back(static_cast<int>(bytes));
            else unread_[number].resize(this->spec_.chunk_items * bytes);
        };
        (input(I, sizeof(InItem<I>)), ...);
        (output(O, sizeof(OutItem<O>)), ...);
    }

    const gr::buffer_reader& reader(const Input& in) const { return *face_->detail()->input(in.number); }

    /// GNU Radio says that a writer has ended, and not whether these are the last items: it ended before they were counted.
    bool is_last(const Input& in, int offered) const { return reader(in).done() && reader(in).items_available() == offered; }

    template <std::size_t... I, std::size_t... O>
    int work([[maybe_unused]] int outputs, [[maybe_unused]] gr_vector_int& inputs, [[maybe_unused]] gr_vector_const_void_star& in,
             [[maybe_unused]] gr_vector_void_star& out, std::index_sequence<I...>, std::index_sequence<O...>) noexcept {
        if (over_ || failed_ || run_->stopping()) return gr::block::WORK_DONE;
        std::tuple in_views{In<InItem<I>>{{static_cast<const InItem<I>*>(in[I]), static_cast<std::size_t>(inputs[I])},
                                          is_last(ins_[I], inputs[I])}...};
        std::tuple out_views{Out<OutItem<O>>{space<O>(out, static_cast<std::size_t>(outputs))}...};
        this->state_.store(StepStatus::progress, std::memory_order_relaxed);
        WorkResult result = Base::call(in_views, out_views);
        const auto moved = [&] {
            return ((std::get<I>(in_views).consumed() != 0) || ... || false) || ((std::get<O>(out_views).produced() != 0) || ... || false);
        };
        // GNU Radio has no timer for a block, and lets a source that makes nothing sleep for a quarter of a second: so it sleeps here,
        // as GNU Radio's own do. What has moved is told to its neighbours when this returns.
        while (result.status == WorkStatus::wait && !moved() && !run_->stopping()) {
            wait_until(result.wake_ns);
            result = Base::call(in_views, out_views);
        }
        if (result.status == WorkStatus::error) {
            failed_ = true;
            this->state_.store(StepStatus::error, std::memory_order_relaxed);
            run_->fail(*this, this->error());
            return gr::block::WORK_DONE;
        }
        const typename Base::Read read = Base::consumed(in_views);
        const typename Base::Written written = Base::produced(out_views);
        Base::commit(ins_, read, outs_, written);
        if (result.status == WorkStatus::done || (kIns == 0 && items_out_ >= limit_)) {
            over_ = true;
            return gr::block::WORK_DONE;
        }
        // A block that has a firing and wants more is not asked again before there is more.
        const bool more = result.status == WorkStatus::need_input && !moved();
        ((wants_[I] = more ? static_cast<std::size_t>(inputs[I]) + in_rate(I) : in_rate(I)), ...);
        return gr::block::WORK_CALLED_PRODUCE;
    }

    /// GNU Radio offers all outputs as many items: those of one that has most of them in a firing.
    std::size_t busiest() const noexcept {
        std::size_t most = 1;
        for (std::size_t port = 0; port < kOuts; ++port) most = std::max(most, out_rate(port));
        return most;
    }

    /// Whole firings, and of a source no more than it still has to make.
    template <std::size_t O> std::span<OutItem<O>> space(gr_vector_void_star& out, std::size_t outputs) noexcept {
        std::size_t items = outputs / busiest() * out_rate(O);
        if constexpr (kIns == 0) {
            const std::uint64_t left = limit_ == kNever ? kNever : (limit_ - items_out_) / out_rate(0) * out_rate(O);
            items = static_cast<std::size_t>(std::min<std::uint64_t>(items, left));
        }
        if (outs_[O].connection != nullptr) return {static_cast<OutItem<O>*>(out[static_cast<std::size_t>(outs_[O].number)]), items};
        const std::size_t room = unread_[O].size() / sizeof(OutItem<O>) / out_rate(O) * out_rate(O);
        return {reinterpret_cast<OutItem<O>*>(unread_[O].data()), std::min(items, room)};
    }

    void wait_until(std::int64_t wake_ns) noexcept {
        constexpr std::int64_t kSlice = 50'000'000;
        this->state_.store(StepStatus::wait, std::memory_order_relaxed);
        for (std::int64_t left = wake_ns - monotonic_ns(); left > 0 && !run_->stopping(); left = wake_ns - monotonic_ns()) {
            std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(left, kSlice)));
        }
    }

    std::shared_ptr<Face> face_;
    std::array<Input, kIns> ins_{};
    std::array<Output, kOuts> outs_{};
    std::array<std::size_t, kIns> wants_{};
    std::array<std::vector<std::byte>, kOuts> unread_{};
    Run* run_ = nullptr;
    std::size_t worker_ = 0;
    bool over_ = false, failed_ = false;
};

}  // namespace weir::gnuradio3
