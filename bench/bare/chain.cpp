// The chain of saxpy stages as one would write it by hand for one core: a tile at a time through all of them, in place from
// the second one on, and no runtime around it. The first stage reads the source's tile, which therefore stays as it is.

#include <cmath>

#include "bare.hpp"
#include "weir/axpy.hpp"
#include "weir/bare.hpp"
#include "weir/digest.hpp"

namespace weir::bench {
namespace {

class Chain {
  public:
    Chain(std::size_t stages, std::size_t tile_bytes)
        : stages_(stages), items_(tile_bytes / sizeof(float)), source_(bare::make_buffer(items_)),
          own_(bare::make_buffer(items_)) {
        asm volatile("" : "+m"(a_), "+m"(b_), "+r"(stages_), "+r"(items_));  // run-time values
    }

    void pass() noexcept {
        asm volatile("" : : "r"(source_.get()) : "memory");  // as far as the compiler knows, a new tile
        for (std::size_t s = 0; s < stages_; ++s) axpy(a_, s == 0 ? source_.get() : own_.get(), b_, own_.get(), items_);
        asm volatile("" : : "r"(own_.get()) : "memory");  // the sink
    }

    std::size_t items() const noexcept { return items_; }
    const float* source() const noexcept { return source_.get(); }
    const float* made() const noexcept { return own_.get(); }

  private:
    std::size_t stages_, items_;
    float a_ = 0.75F, b_ = 0.5F;
    bare::Buffer source_, own_;
};

}  // namespace

Rate chain(std::size_t stages, std::size_t tile_bytes, double seconds) {
    constexpr int kPassesBetweenClocks = 100;
    Chain chain(stages, tile_bytes);
    chain.pass();
    const Stopwatch watch;
    std::uint64_t items = 0;
    while (watch.elapsed_s() < seconds) {
        for (int pass = 0; pass < kPassesBetweenClocks; ++pass) chain.pass();
        items += kPassesBetweenClocks * chain.items();
    }
    Rate rate = watch.rate(items);
    rate.buffer_bytes = chain.items() * sizeof(float);
    rate.total_buffer_bytes = 2 * rate.buffer_bytes;
    rate.items_per_call = static_cast<double>(chain.items());
    return rate;
}

bool chain_is_right(std::size_t stages, std::size_t tile_bytes) {
    Chain chain(stages, tile_bytes);
    chain.pass();
    for (std::size_t i = 0; i < chain.items(); ++i) {
        float item = chain.source()[i];
        for (std::size_t s = 0; s < stages; ++s) item = std::fma(0.75F, item, 0.5F);
        if (item_bits(item) != item_bits(chain.made()[i])) return false;
    }
    return true;
}

}  // namespace weir::bench
