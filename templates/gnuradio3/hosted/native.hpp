// A block of GNU Radio's own in the place of one of the library's. Nobody stands in front of it: of what it does a run knows how many items it
// moved, from GNU Radio, when that is through with it.
#pragma once

#include <gnuradio/block.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hosted/face.hpp"

namespace weir::gnuradio3 {

/// Puts down what comes to it.
class Recorder final : public gr::block {
  public:
    Recorder(std::vector<std::byte>& to, std::size_t item_bytes)
        : gr::block("recorder", gr::io_signature::make(1, 1, static_cast<int>(item_bytes)), gr::io_signature::make(0, 0, 0)), to_(to), item_bytes_(item_bytes) {}

    int general_work(int, gr_vector_int& inputs, gr_vector_const_void_star& in, gr_vector_void_star&) override {
        const auto* const items = static_cast<const std::byte*>(in[0]);
        to_.insert(to_.end(), items, items + static_cast<std::size_t>(inputs[0]) * item_bytes_);
        consume_each(inputs[0]);
        return 0;
    }

  private:
    std::vector<std::byte>& to_;
    std::size_t item_bytes_;
};

template <std::size_t Ins, std::size_t Outs> class Native final : public Instance, public Placed {
  public:
    Native(const NodeSpec& spec, std::shared_ptr<gr::block> block, const std::array<Connection*, Ins>& ins, const std::array<Connection*, Outs>& outs)
        : Instance(spec), block_(std::move(block)), outs_(outs) {
        name_as(*block_, spec.name);
        block_->set_tag_propagation_policy(gr::block::TPP_DONT);
        for (std::size_t i = 0; i < Ins; ++i) joins_input(nullptr, ins[i], spec.in_rates.empty() ? 1 : spec.in_rates[i]);
        for (std::size_t o = 0; o < Outs; ++o) joins_output(nullptr, outs[o], spec.out_rates.empty() ? 1 : spec.out_rates[o]);
    }

    operator gr::basic_block_sptr() const { return block_; }  // NOLINT: implicit, as blocks of GNU Radio's are
    gr::block* operator->() const noexcept { return block_.get(); }
    Placed* placed() noexcept { return this; }
    Instance* instance() noexcept { return this; }

    // It has nothing to start, to say or to verify: what comes through it is seen at the sinks.
    void start(const BlockContext&) override {}
    void begin(std::int64_t) noexcept override {}
    void stop() override {}
    std::string error() const override { return {}; }
    std::optional<std::uint64_t> total_items() const override { return std::nullopt; }
    std::optional<std::uint64_t> digest() const override { return std::nullopt; }
    void verify() noexcept override {}
    bool tap(std::string_view output, std::vector<std::byte>& to) override {
        for (std::size_t o = 0; o < Outs; ++o) {
            if (outs_[o]->spec().name != output) continue;
            const auto bytes = static_cast<std::size_t>(block_->output_signature()->sizeof_stream_item(static_cast<int>(o)));
            recorders_.emplace_back(static_cast<int>(o), gnuradio::make_block_sptr<Recorder>(to, bytes));
            return true;
        }
        return false;
    }
    bool is_counted() const noexcept override { return false; }

    void join(Run& run, std::size_t worker) noexcept override {
        run_ = &run;
        run.absent(worker);
    }
    void connect(gr::top_block& top) override {
        for (const auto& [output, recorder] : recorders_) top.connect(block_, output, recorder, 0);
    }
    void read_back() override {
        for (std::size_t o = 0; o < Outs; ++o) outs_[o]->grant(static_cast<std::size_t>(block_->detail()->output(static_cast<unsigned>(o))->bufsize()));
    }
    void conclude() override {
        if constexpr (Ins != 0) counters_.items_in.store(block_->nitems_read(0), std::memory_order_relaxed);
        if constexpr (Outs != 0) counters_.items_out.store(block_->nitems_written(0), std::memory_order_relaxed);
        if (run_->stopping()) return;
        state_.store(StepStatus::done, std::memory_order_relaxed);
        run_->task_done(*this);
    }

  private:
    std::shared_ptr<gr::block> block_;
    std::array<Connection*, Outs> outs_;
    std::vector<std::pair<int, std::shared_ptr<Recorder>>> recorders_;
    Run* run_ = nullptr;
};

}  // namespace weir::gnuradio3
