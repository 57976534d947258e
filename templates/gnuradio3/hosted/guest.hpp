// What GNU Radio sees of a block of Weir's: one of its own, with as many ports, whose work is somebody else's.
#pragma once

#include <gnuradio/block.h>
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer.h>
#include <gnuradio/buffer_reader.h>
#include <gnuradio/io_signature.h>
#include <gnuradio/sptr_magic.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weir/arena.hpp"
#include "weir/run.hpp"

namespace weir::gnuradio3 {

/// A buffer of GNU Radio's between an output and the inputs that read it. How large it is GNU Radio says when the run begins.
class Connection final : public PlaceBase {
  public:
    explicit Connection(const PlaceSpec& spec) : PlaceBase(spec) {}
    std::size_t granted() const noexcept override { return granted_; }
    void grant(std::size_t items) noexcept { granted_ = items; }

  private:
    std::size_t granted_ = 0;
};

/// What is behind a block of GNU Radio's.
class Guest {
  public:
    virtual ~Guest() = default;

    /// Of a call of `general_work`: what it returns.
    virtual int work(int outputs, gr_vector_int& inputs, gr_vector_const_void_star& in, gr_vector_void_star& out) noexcept = 0;
    /// Items that an input must have before it is called.
    virtual void forecast(gr_vector_int& inputs) const noexcept = 0;
    /// On its thread, before the first call and behind the last one.
    virtual void enter() noexcept = 0;
    virtual void leave() noexcept = 0;
    /// What the run is to know, before it begins and once it is over.
    virtual void join(Run& run, std::size_t worker) noexcept = 0;
    virtual void read_back() noexcept = 0;
};

/// The block that GNU Radio schedules.
class Face final : public gr::block {
  public:
    Face(Guest& guest, const std::string& type, const std::string& instance, const std::vector<int>& in_bytes, const std::vector<int>& out_bytes)
        : gr::block(type, signature(in_bytes), signature(out_bytes)), guest_(guest) {
        set_block_alias(instance);
        set_tag_propagation_policy(TPP_DONT);
    }

    void forecast(int, gr_vector_int& inputs) override { guest_.forecast(inputs); }
    int general_work(int outputs, gr_vector_int& inputs, gr_vector_const_void_star& in, gr_vector_void_star& out) override {
        return guest_.work(outputs, inputs, in, out);
    }
    // GNU Radio calls both on the thread that it makes for the block.
    bool start() override {
        guest_.enter();
        return gr::block::start();
    }
    bool stop() override {
        guest_.leave();
        return gr::block::stop();
    }

  private:
    static gr::io_signature::sptr signature(const std::vector<int>& bytes) {
        const int ports = static_cast<int>(bytes.size());
        return ports == 0 ? gr::io_signature::make(0, 0, 0) : gr::io_signature::makev(ports, ports, bytes);
    }

    Guest& guest_;
};

}  // namespace weir::gnuradio3
