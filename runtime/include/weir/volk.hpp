// VOLK for blocks and programs. The only header of Weir that includes VOLK.
#pragma once

#include <volk/volk.h>
#include <volk/volk_prefs.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/kernel_library.hpp"

#if VOLK_VERSION_MAJOR > 3 || (VOLK_VERSION_MAJOR == 3 && VOLK_VERSION_MINOR >= 1)
#define WEIR_VOLK_TAKES_POINTERS 1  // a complex number by value is not C, so another kernel replaces this one
#define volk_32fc_s32fc_multiply_32fc volk_32fc_s32fc_multiply2_32fc
#define volk_32fc_s32fc_multiply_32fc_u volk_32fc_s32fc_multiply2_32fc_u
#define volk_32fc_s32fc_multiply_32fc_a volk_32fc_s32fc_multiply2_32fc_a
#define volk_32fc_s32fc_multiply_32fc_get_func_desc volk_32fc_s32fc_multiply2_32fc_get_func_desc
#else
#define WEIR_VOLK_TAKES_POINTERS 0
#endif

#define WEIR_TEXT_OF(...) #__VA_ARGS__
#define WEIR_VALUE_OF(...) WEIR_TEXT_OF(__VA_ARGS__)

namespace weir {

/// Return whether blocks call the VOLK kernel of this name. Otherwise they compute without VOLK, as the deployment
/// requested with -DWEIR_VOLK_OFF=all, or with a comma-separated list of kernels.
constexpr bool calls_volk([[maybe_unused]] std::string_view kernel) noexcept {
#ifdef WEIR_VOLK_OFF
    constexpr std::string_view kOff = WEIR_VALUE_OF(WEIR_VOLK_OFF);
    for (std::size_t at = 0; at < kOff.size();) {
        const std::size_t end = kOff.find(',', at), length = (end == std::string_view::npos ? kOff.size() : end) - at;
        if (const std::string_view off = kOff.substr(at, length); off == "all" || off == kernel) return false;
        at += length + 1;
    }
#endif
    return true;
}

namespace detail {

template <auto describe> std::vector<KernelImplementation> volk_implementations() {
    const volk_func_desc_t described = describe();
    std::vector<KernelImplementation> found;
    found.reserve(described.n_impls);
    for (std::size_t i = 0; i < described.n_impls; ++i) {
        found.push_back({described.impl_names[i], described.impl_deps[i], described.impl_alignment[i]});
    }
    return found;
}

/// Argument of a call without items. Pointers are valid, because a kernel may write its result, such as a sum of 0
/// items.
template <class Argument> Argument empty_argument() {
    alignas(64) static std::array<std::byte, 64> nowhere;
    if constexpr (std::is_pointer_v<Argument>) return reinterpret_cast<Argument>(nowhere.data());
    else return Argument{};
}

template <class... Argument> void call_without_items(void (*kernel)(Argument...)) {
    kernel(empty_argument<Argument>()...);
}

inline std::vector<KernelPreference> volk_preferences() {
    volk_arch_pref_t* read = nullptr;
    const std::size_t count = volk_load_preferences(&read);
    std::vector<KernelPreference> found;
    found.reserve(count);
    for (std::size_t i = 0; i < count; ++i) found.push_back({read[i].name, read[i].impl_a, read[i].impl_u});
    std::free(read);
    return found;
}

}  // namespace detail

/// Functions by which a program sets and reads VOLK's choice for these kernels (`WEIR_VOLK_KERNEL`).
inline KernelLibrary volk_library(std::string_view implementation, std::vector<LibraryKernel> kernels) {
    return {implementation, [] { return std::string(volk_get_machine()); }, detail::volk_preferences,
            std::move(kernels)};
}

}  // namespace weir

/// Kernel with its name and the implementation requested for it alone.
#define WEIR_VOLK_KERNEL(kernel, requested)                                                             \
    ::weir::LibraryKernel {                                                                             \
        WEIR_VALUE_OF(kernel), requested, ::weir::detail::volk_implementations<kernel##_get_func_desc>, \
            [] { ::weir::detail::call_without_items(kernel); }, [] { return kernel##_a == kernel##_u; } \
    }
