// Native block of GNU Radio that replaces a block of the library. Weir adds no code around it, and knows only the
// numbers of items that GNU Radio reports.
#pragma once

#include <gnuradio/block.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hosted/host_block.hpp"

namespace weir::gnuradio3 {

/// Sink that records its items.
class Recorder final : public gr::block {
  public:
    Recorder(std::vector<std::byte>& to, std::size_t item_bytes)
        : gr::block("recorder", gr::io_signature::make(1, 1, static_cast<int>(item_bytes)),
                    gr::io_signature::make(0, 0, 0)),
          to_(to), item_bytes_(item_bytes) {}

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

/// Runs that use the native block. `unwatched_runs`: only runs that neither measure nor verify the block. Other runs
/// use the library's block.
enum class In { every_run, unwatched_runs };

template <Block B, In in = In::every_run> class Native final : public Placed {
    using Ports = detail::WorkPorts<decltype(&B::work)>;
    template <class Items> using Connections = std::array<Connection*, std::tuple_size_v<Items>>;

  public:
    /// Makes the native block, which has to end after `total` items.
    using Make = std::function<std::shared_ptr<gr::block>(std::uint64_t total)>;

    Native(std::string_view type, const NodeSpec& spec, typename B::Params params, Make make,
           const Connections<typename Ports::Inputs>& ins, const Connections<typename Ports::Outputs>& outs)
        : guest_(spec, std::move(params), ins, outs), make_(std::move(make)), type_(type) {}

    /// Returns the block to connect and configure. Call after `join`.
    operator gr::basic_block_sptr() const { return block_; }  // NOLINT: implicit, like GNU Radio's own blocks
    gr::block* operator->() const noexcept { return block_.get(); }

    Placed* placed() noexcept { return this; }
    Instance* instance() noexcept { return &guest_; }
    B& block() noexcept { return guest_.block(); }

    void join(Run& run, std::size_t worker) override {
        if (in == In::unwatched_runs && !guest_.is_unwatched(run)) {
            const auto block = gnuradio::make_block_sptr<HostBlock>(guest_, type_, guest_.spec().name);
            block->join(run, worker);
            host_ = block.get();
            block_ = block;
            return;
        }
        block_ = make_(guest_.bound());
        name_as(*block_, guest_.spec().name);
        block_->set_tag_propagation_policy(gr::block::TPP_DONT);
        guest_.stand_aside();
        guest_.join(run);
        run_ = &run;
        worker_ = worker;
    }
    bool enters() const override { return host_ != nullptr; }
    void report_absent() override { run_->absent(worker_); }
    void connect(gr::top_block& top) override {
        for (std::size_t output = 0; output < guest_.outputs(); ++output) {
            auto* const to = guest_.recorded(output);
            if (host_ != nullptr || to == nullptr) continue;
            top.connect(block_, static_cast<int>(output),
                        gnuradio::make_block_sptr<Recorder>(*to, guest_.item_bytes_out(output)), 0);
        }
    }
    void read_back() override { read_back_buffers(guest_, *block_); }
    void report_items() override {
        if (host_ != nullptr) return;
        guest_.report_items(guest_.inputs() != 0 ? block_->nitems_read(0) : 0,
                            guest_.outputs() != 0 ? block_->nitems_written(0) : 0);
    }
    void leave_run() override {
        if (host_ == nullptr) guest_.leave(0);
    }

  private:
    hosted::Node<B, true> guest_;
    Make make_;
    std::string type_;
    std::shared_ptr<gr::block> block_;
    HostBlock* host_ = nullptr;  ///< host of the library's block, if this run uses it
    Run* run_ = nullptr;
    std::size_t worker_ = 0;
};

}  // namespace weir::gnuradio3
