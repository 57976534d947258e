// Properties and settings of the machine during a run. They decide which results may be compared.
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

/// Environment of a run. Absent: the machine does not report it.
struct Environment {
    std::string kernel;                        ///< release and architecture
    std::optional<std::string> cpu;            ///< model name
    std::uint64_t cpus = 0;                    ///< online
    std::optional<std::string> governor;  ///< one name, or the sorted names when they differ: `performance,powersave`
    std::optional<bool> turbo;
    std::optional<bool> smt;
    std::string isolated_cpus;  ///< list as Linux prints it; "" = none
    std::vector<std::pair<std::string, std::string>> mitigations;  ///< vulnerability, mitigation
    std::optional<std::string> clock_source;
    std::string compiler;
    bool flush_to_zero = false;  ///< denormals are replaced by 0, so floats differ from the reference
};

Environment read_environment();

/// Return the first line of a file; absent if it cannot be read, with errno set.
std::optional<std::string> first_line(const std::filesystem::path& path);

/// Return the load averages over 1, 5 and 15 minutes.
std::optional<std::array<double, 3>> load_averages();

/// Locked memory and transparent huge pages that Linux granted this process, in bytes.
struct MemoryGranted {
    std::optional<std::uint64_t> locked;
    std::optional<std::uint64_t> huge_pages;
};
MemoryGranted read_memory_granted();

}  // namespace weir
