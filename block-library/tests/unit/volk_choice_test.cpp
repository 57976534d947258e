// Test that a program calls the implementations that it reports: a name means the same function, however it was chosen.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "weir/kernel_library.hpp"
#include "weir/volk.hpp"

namespace {

using weir::KernelImplementation;
using weir::KernelPreference;
using weir::LibraryKernel;

/// A kernel, and the addresses of the functions that it has chosen: aligned, unaligned.
struct Kernel {
    LibraryKernel library;
    std::array<std::uintptr_t, 2> (*functions)();
};

#define KERNEL(name)                                                                                                   \
    Kernel {                                                                                                           \
        WEIR_VOLK_KERNEL(name, ""), [] {                                                                               \
            return std::array{reinterpret_cast<std::uintptr_t>(name##_a), reinterpret_cast<std::uintptr_t>(name##_u)}; \
        }                                                                                                              \
    }

const std::vector<Kernel>& kernels() {
    static const std::vector<Kernel> all = {KERNEL(volk_32f_x2_add_32f),
                                            KERNEL(volk_32f_x2_subtract_32f),
                                            KERNEL(volk_32f_x2_multiply_32f),
                                            KERNEL(volk_32f_x2_divide_32f),
                                            KERNEL(volk_32f_s32f_multiply_32f),
                                            KERNEL(volk_32fc_x2_multiply_32fc),
                                            KERNEL(volk_32fc_s32fc_multiply_32fc),
                                            KERNEL(volk_32fc_x2_multiply_conjugate_32fc),
                                            KERNEL(volk_32fc_conjugate_32fc),
                                            KERNEL(volk_32fc_deinterleave_real_32f),
                                            KERNEL(volk_32fc_deinterleave_imag_32f),
                                            KERNEL(volk_32fc_deinterleave_32f_x2),
                                            KERNEL(volk_32f_x2_interleave_32fc),
                                            KERNEL(volk_32fc_magnitude_32f),
                                            KERNEL(volk_32fc_magnitude_squared_32f),
                                            KERNEL(volk_8i_convert_16i),
                                            KERNEL(volk_16i_convert_8i),
                                            KERNEL(volk_8i_s32f_convert_32f),
                                            KERNEL(volk_16i_s32f_convert_32f),
                                            KERNEL(volk_32i_s32f_convert_32f),
                                            KERNEL(volk_32f_s32f_convert_8i),
                                            KERNEL(volk_32f_s32f_convert_16i),
                                            KERNEL(volk_32f_s32f_convert_32i),
                                            KERNEL(volk_32f_x2_dot_prod_32f),
                                            KERNEL(volk_32fc_32f_dot_prod_32fc)};
    return all;
}

/// Reported names and called functions of a program, by kernel: aligned, unaligned.
struct ProgramKernels {
    std::vector<std::array<std::string, 2>> names;
    std::vector<std::array<std::uintptr_t, 2>> functions;
};

/// Choose the kernels in a separate process, because VOLK chooses once per process. `implementation` is requested for
/// all kernels, `wishes` for one kernel each.
ProgramKernels in_a_program(const std::string& implementation, const std::vector<std::string>& wishes = {}) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const ::pid_t child = ::fork();
    if (child == 0) {
        std::FILE* const out = ::fdopen(ends[1], "w");
        std::vector<LibraryKernel> requested;
        for (const Kernel& it : kernels()) requested.push_back(it.library);
        for (std::size_t i = 0; i < wishes.size(); ++i) requested[i].requested = wishes[i];
        const weir::KernelsChosen chosen = weir::choose_kernels(weir::volk_library(implementation, requested));
        for (std::size_t i = 0; i < requested.size(); ++i) {
            const auto [a, u] = kernels()[i].functions();
            std::fprintf(out, "%s %s %zx %zx\n", chosen.kernels[i].aligned.c_str(), chosen.kernels[i].unaligned.c_str(),
                         a, u);
        }
        std::fclose(out);
        ::_exit(0);
    }
    ::close(ends[1]);
    std::FILE* const in = ::fdopen(ends[0], "r");
    ProgramKernels reported;
    char aligned[128], unaligned[128];
    std::size_t a = 0, u = 0;
    while (std::fscanf(in, "%127s %127s %zx %zx", aligned, unaligned, &a, &u) == 4) {
        reported.names.push_back({aligned, unaligned});
        reported.functions.push_back({a, u});
    }
    std::fclose(in);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(reported.names.size(), kernels().size());
    return reported;
}

/// Return the function of each implementation, by kernel and name, from programs that requested it.
std::vector<std::map<std::string, std::uintptr_t>> functions_by_name() {
    std::vector<std::vector<KernelImplementation>> all;
    std::size_t most = 0;
    for (const Kernel& it : kernels()) {
        all.push_back(it.library.implementations());
        most = std::max(most, all.back().size());
    }
    std::vector<std::map<std::string, std::uintptr_t>> found(all.size());
    for (std::size_t turn = 0; turn < most; ++turn) {
        std::vector<std::string> wishes;
        for (const auto& of : all) wishes.emplace_back(of[turn % of.size()].name);
        const ProgramKernels reported = in_a_program("", wishes);
        for (std::size_t i = 0; i < reported.names.size(); ++i) {
            const KernelImplementation& it = all[i][turn % all[i].size()];
            EXPECT_EQ(reported.names[i][0], it.name);
            EXPECT_TRUE(it.aligned || reported.names[i][1] == it.name) << reported.names[i][1];
            found[i][std::string(it.name)] = reported.functions[i][0];
        }
    }
    return found;
}

TEST(VolkChoice, IsTheFunctionWhoseNameIsReported) {
    ::unsetenv("VOLK_CONFIGPATH");
    ::unsetenv("VOLK_GENERIC");
    const auto functions = functions_by_name();
    for (const char* wish : {"", "generic", "sse", "sse3", "avx", "avx2", "avx512f", "u_avx"}) {
        const ProgramKernels reported = in_a_program(wish);
        for (std::size_t i = 0; i < reported.names.size(); ++i) {
            const std::string kernel(kernels()[i].library.name);
            EXPECT_EQ(reported.functions[i][0], functions[i].at(reported.names[i][0]))
                << kernel << ", aligned, " << wish;
            EXPECT_EQ(reported.functions[i][1], functions[i].at(reported.names[i][1])) << kernel << ", any, " << wish;
        }
    }
}

TEST(VolkChoice, DistinguishesFunctions) {
    for (const auto& of : functions_by_name()) {
        std::map<std::uintptr_t, std::string> names;
        for (const auto& [name, function] : of) {
            EXPECT_TRUE(names.emplace(function, name).second)
                << name << " and " << names[function] << " are one function";
        }
    }
}

}  // namespace
