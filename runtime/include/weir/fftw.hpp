// Plans and memory of FFTW in single precision.
#pragma once

#include <fftw3.h>

#include <memory>
#include <mutex>
#include <type_traits>

namespace weir {

/// Lock for creating and destroying plans, which FFTW allows in one thread at a time. Executing a plan needs no lock.
inline std::mutex& fftw_planner() {
    static std::mutex mutex;
    return mutex;
}

namespace detail {

struct FftwFree {
    void operator()(void* items) const noexcept { ::fftwf_free(items); }
};
struct FftwDestroy {
    void operator()(fftwf_plan plan) const noexcept { ::fftwf_destroy_plan(plan); }
};

}  // namespace detail

template <class T> using FftwItems = std::unique_ptr<T, detail::FftwFree>;
/// Create and destroy it with the planner's lock held.
using FftwPlan = std::unique_ptr<std::remove_pointer_t<fftwf_plan>, detail::FftwDestroy>;

}  // namespace weir
