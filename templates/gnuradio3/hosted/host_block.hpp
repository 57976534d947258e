// GNU Radio block that hosts a block of Weir. It has the same ports, and calls the hosted block in `general_work`.
#pragma once

#include <gnuradio/block.h>
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer.h>
#include <gnuradio/buffer_reader.h>
#include <gnuradio/io_signature.h>
#include <gnuradio/sptr_magic.h>
#include <gnuradio/top_block.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "hosted/node.hpp"
#include "weir/clock.hpp"

namespace weir::gnuradio3 {

using hosted::Connection;

/// Names the block after its instance. GNU Radio allows one block per name in a process. A program that verifies itself
/// builds its flowgraph twice, so the blocks of the second flowgraph stay without names.
inline void name_as(gr::block& block, std::string_view instance) {
    try {
        block.set_block_alias(std::string(instance));
    } catch (const std::runtime_error&) {
    }
}

/// Block of the flowgraph in a run.
class Placed {
  public:
    virtual ~Placed() = default;

    /// Joins the run as this worker. Call before the blocks are connected.
    virtual void join(Run& run, std::size_t worker) = 0;
    /// Returns true if the block's thread enters the run. If it does not, report that with `report_absent`.
    virtual bool enters() const { return true; }
    virtual void report_absent() {}
    /// Makes further connections, such as to a recorder.
    virtual void connect(gr::top_block&) {}
    /// Reports the sizes of the block's buffers. Call after GNU Radio has started the block.
    virtual void read_back() = 0;
    /// Reports the items moved so far. Call repeatedly while GNU Radio runs the block.
    virtual void report_items() {}
    /// Leaves the run. Call after GNU Radio has ended all blocks.
    virtual void leave_run() {}
};

inline void read_back_buffers(const hosted::Guest& guest, const gr::block& block) {
    for (std::size_t port = 0; port < guest.outputs(); ++port) {
        guest.written(port).grant(
            static_cast<std::size_t>(block.detail()->output(static_cast<unsigned>(port))->bufsize()));
    }
}

/// Block that GNU Radio schedules.
class HostBlock final : public gr::block, public Placed {
  public:
    HostBlock(hosted::Guest& guest, std::string_view type, std::string_view instance)
        : gr::block(std::string(type), inputs_of(guest), outputs_of(guest)), guest_(guest), wants_(guest.inputs()),
          in_(guest.inputs()) {
        name_as(*this, instance);
        set_tag_propagation_policy(TPP_DONT);
        for (std::size_t port = 0; port < guest.inputs(); ++port) {
            wants_[port] = static_cast<int>(guest.items_in(port));
            in_[port] = {nullptr, 0, false, new_end(static_cast<int>(port)),
                         [](void* end, std::size_t n) { of(end).consume(number(end), static_cast<int>(n)); }};
        }
        std::size_t most = 1;
        for (std::size_t port = 0; port < guest.outputs(); ++port) {
            most = std::max(most, guest.items_out(port));
            out_.push_back({nullptr, 0, false, new_end(static_cast<int>(out_.size())),
                            [](void* end, std::size_t n) { of(end).produce(number(end), static_cast<int>(n)); }});
            rates_.push_back(guest.items_out(port));
        }
        // GNU Radio offers every output the same number of items. So the output with the most items per firing limits
        // the number of firings.
        busiest_ = most;
        if (most > 1) set_output_multiple(static_cast<int>(most));
        if (guest.inputs() != 0 && guest.outputs() != 0) set_relative_rate(guest.items_out(0), guest.items_in(0));
    }

    void join(Run& run, std::size_t worker) override {
        run_ = &run;
        worker_ = worker;
        guest_.join(run);
    }

    void read_back() override { read_back_buffers(guest_, *this); }

    void forecast(int, gr_vector_int& inputs) override {
        if (guest_.is_over()) return forecast_staying(inputs);
        for (std::size_t i = 0; i < wants_.size(); ++i) inputs[i] = has_ended(i) ? 0 : wants_[i];
    }

    int general_work(int outputs, gr_vector_int& inputs, gr_vector_const_void_star& in,
                     gr_vector_void_star& out) override {
        for (std::size_t i = 0; i < in_.size(); ++i) {
            in_[i].items = const_cast<void*>(in[i]);
            in_[i].size = static_cast<std::size_t>(inputs[i]);
            in_[i].over = is_last(i, inputs[i]);
        }
        for (std::size_t o = 0; o < out_.size(); ++o) {
            out_[o].items = out[o];
            out_[o].size = static_cast<std::size_t>(outputs) / busiest_ * rates_[o];
        }
        hosted::Turn turn = guest_.turn(in_.data(), out_.data());
        // GNU Radio has no timer for blocks, and makes a source without output sleep for 250 ms. So the source sleeps
        // here, like GNU Radio's own sources. If it has moved items, it returns first, because only then do its
        // neighbours see them.
        while (turn.next == hosted::Next::at_time && !turn.moved && !run_->stopping()) {
            wait_until(turn.wake_ns);
            turn = guest_.turn(in_.data(), out_.data());
        }
        if (turn.next == hosted::Next::over) return WORK_DONE;
        // The output cannot be `done` yet, because GNU Radio would end this block. The readers check `has_ended`
        // instead.
        if (turn.next == hosted::Next::closes) detail()->d_tpb.notify_downstream(detail().get());
        // A block with enough items for a firing may want more. Require more than it has: GNU Radio then calls it only
        // after more items have arrived.
        for (std::size_t i = 0; i < in_.size(); ++i)
            wants_[i] = static_cast<int>(guest_.items_in(i)) + (turn.wants_more ? inputs[i] : 0);
        return WORK_CALLED_PRODUCE;
    }

    // GNU Radio calls `start` and `stop` on the block's thread.
    bool start() override {
        run_->enter(worker_);
        return gr::block::start();
    }
    bool stop() override {
        int unread = 0;
        for (std::size_t i = 0; i < in_.size(); ++i) unread = std::max(unread, reader(i).items_available());
        guest_.leave(static_cast<std::size_t>(unread));
        run_->leave(worker_);
        return gr::block::stop();
    }

  private:
    /// Forecast of a block that has ended but stays to discard items: GNU Radio calls it whenever an input has items.
    /// If an input has fewer items than required, GNU Radio waits, or ends the block if that input is `done`. So this
    /// requires no item of a `done` input while another input is not done.
    void forecast_staying(gr_vector_int& inputs) const {
        bool some = false, all_done = true;
        for (std::size_t i = 0; i < wants_.size(); ++i) {
            some |= reader(i).items_available() != 0;
            all_done &= reader(i).done();
        }
        for (std::size_t i = 0; i < wants_.size(); ++i) inputs[i] = some || (reader(i).done() && !all_done) ? 0 : 1;
    }

    /// End of a connection: the argument of `moved`.
    struct End {
        HostBlock* block;
        int number;
    };
    void* new_end(int port) { return ends_.emplace_back(std::make_unique<End>(End{this, port})).get(); }
    static HostBlock& of(void* end) { return *static_cast<End*>(end)->block; }
    static int number(void* end) { return static_cast<End*>(end)->number; }

    static gr::io_signature::sptr inputs_of(const hosted::Guest& guest) {
        std::vector<int> bytes;
        for (std::size_t port = 0; port < guest.inputs(); ++port)
            bytes.push_back(static_cast<int>(guest.item_bytes_in(port)));
        return signature(bytes);
    }
    static gr::io_signature::sptr outputs_of(const hosted::Guest& guest) {
        std::vector<int> bytes;
        for (std::size_t port = 0; port < guest.outputs(); ++port)
            bytes.push_back(static_cast<int>(guest.item_bytes_out(port)));
        return signature(bytes);
    }
    static gr::io_signature::sptr signature(const std::vector<int>& bytes) {
        const int ports = static_cast<int>(bytes.size());
        return ports == 0 ? gr::io_signature::make(0, 0, 0) : gr::io_signature::makev(ports, ports, bytes);
    }

    const gr::buffer_reader& reader(std::size_t input) const { return *detail()->input(static_cast<unsigned>(input)); }

    /// Returns true if the writer writes no more items.
    bool has_ended(std::size_t input) const { return guest_.read(input).writer()->is_over() || reader(input).done(); }
    /// Returns true if the offered items are the last. The order matters: items that are counted after the writer has
    /// ended are all that remain.
    bool is_last(std::size_t input, int offered) const {
        return has_ended(input) && reader(input).items_available() == offered;
    }

    void wait_until(std::int64_t wake_ns) noexcept {
        constexpr std::int64_t kSlice = 50'000'000;
        for (std::int64_t left = wake_ns - monotonic_ns(); left > 0 && !run_->stopping();
             left = wake_ns - monotonic_ns()) {
            std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(left, kSlice)));
        }
    }

    hosted::Guest& guest_;
    std::vector<std::unique_ptr<End>> ends_;
    gr_vector_int wants_;
    std::vector<hosted::Port> in_, out_;
    std::vector<std::size_t> rates_;  ///< items per firing, by output
    std::size_t busiest_ = 1;
    Run* run_ = nullptr;
    std::size_t worker_ = 0;
};

/// Block of a flowgraph. `type` is the name of its type in GNU Radio.
template <Block B> class Node final {
    using Ports = detail::WorkPorts<decltype(&B::work)>;
    template <class Items> using Connections = std::array<Connection*, std::tuple_size_v<Items>>;

  public:
    Node(std::string_view type, const NodeSpec& spec, typename B::Params params,
         const Connections<typename Ports::Inputs>& ins, const Connections<typename Ports::Outputs>& outs)
        : guest_(spec, std::move(params), ins, outs),
          host_(gnuradio::make_block_sptr<HostBlock>(guest_, type, spec.name)) {}

    /// Returns the block to connect and configure.
    operator gr::basic_block_sptr() const { return host_; }  // NOLINT: implicit, like GNU Radio's own blocks
    HostBlock* operator->() const noexcept { return host_.get(); }

    Placed* placed() const noexcept { return host_.get(); }
    Instance* instance() noexcept { return &guest_; }
    B& block() noexcept { return guest_.block(); }

  private:
    hosted::Node<B, true> guest_;  // stays after its end: GNU Radio ends a writer with the first of its readers
    std::shared_ptr<HostBlock> host_;
};

}  // namespace weir::gnuradio3
