// What the machine is and how it was set while a run went: it decides which results may be compared.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// Absent: this machine does not tell.
struct Environment {
    std::string kernel;                        ///< release and architecture
    std::optional<std::string> cpu;            ///< model name
    std::uint64_t cpus = 0;                    ///< online
    std::optional<std::string> governor;  ///< one name, or the sorted names when they differ: `performance,powersave`
    std::optional<bool> turbo;
    std::optional<bool> smt;
    std::string isolated_cpus;  ///< list as the kernel prints it; "" = none
    std::vector<std::pair<std::string, std::string>> mitigations;  ///< vulnerability, what the kernel does about it
    std::optional<std::string> clock_source;
    std::string compiler;
    bool flush_to_zero = false;  ///< denormals are replaced by 0: floats differ from the reference
};

Environment read_environment();

/// Of a file of the kernel's; absent where it cannot be read, and errno says why.
std::optional<std::string> first_line(const std::filesystem::path& path);

/// 1, 5 and 15 minutes.
std::optional<std::array<double, 3>> load_averages();

/// What the kernel granted this process of locked memory and transparent huge pages, bytes.
struct MemoryGranted {
    std::optional<std::uint64_t> locked;
    std::optional<std::uint64_t> huge_pages;
};
MemoryGranted read_memory_granted();

}  // namespace weir
