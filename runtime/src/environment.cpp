#include "weir/environment.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <sys/utsname.h>
#include <unistd.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace weir {

namespace {

namespace fs = std::filesystem;

const fs::path kCpuFolder = "/sys/devices/system/cpu";

/// Return the text after `key` and a colon, in files such as /proc/cpuinfo.
std::optional<std::string> value_of(const fs::path& path, std::string_view key) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
        return start == std::string::npos ? "" : line.substr(start);
    }
    return std::nullopt;
}

/// Return the model name of the CPU. Virtual machines may hide the number in it; such a name gets family and model,
/// so that two generations of "AMD EPYC" differ.
std::optional<std::string> cpu_name() {
    const fs::path info = "/proc/cpuinfo";
    std::optional<std::string> name = value_of(info, "model name");
    const auto family = value_of(info, "cpu family"), model = value_of(info, "model\t");
    if (name && family && model && name->find_first_of("0123456789") == std::string::npos)
        *name += " (family " + *family + ", model " + *model + ")";
    return name;
}

std::optional<std::uint64_t> kilobytes_of(const fs::path& path, std::string_view key) {
    const std::optional<std::string> text = value_of(path, key);
    if (!text) return std::nullopt;
    return std::strtoull(text->c_str(), nullptr, 10) * 1024;
}

std::optional<std::string> governor() {
    std::set<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(kCpuFolder, ignored)) {
        if (const auto name = first_line(entry.path() / "cpufreq/scaling_governor")) names.insert(*name);
    }
    if (names.empty()) return std::nullopt;
    std::string joined;
    for (const std::string& name : names) joined += (joined.empty() ? "" : ",") + name;
    return joined;
}

std::optional<bool> turbo() {
    if (const auto no_turbo = first_line(kCpuFolder / "intel_pstate/no_turbo")) return *no_turbo == "0";
    if (const auto boost = first_line(kCpuFolder / "cpufreq/boost")) return *boost == "1";
    return std::nullopt;
}

std::optional<bool> smt() {
    const auto active = first_line(kCpuFolder / "smt/active");
    if (!active) return std::nullopt;
    return *active == "1";
}

std::vector<std::pair<std::string, std::string>> mitigations() {
    std::vector<std::pair<std::string, std::string>> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(kCpuFolder / "vulnerabilities", ignored)) {
        if (const auto line = first_line(entry.path())) found.emplace_back(entry.path().filename().string(), *line);
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string kernel() {
    utsname name{};
    if (::uname(&name) != 0) return "unknown";
    return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

std::string compiler() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "g++ " __VERSION__;
#else
    return "unknown";
#endif
}

bool flush_to_zero() {
#if defined(__SSE__)
    constexpr unsigned kDenormalsAreZero = 0x0040;
    return (_mm_getcsr() & (_MM_FLUSH_ZERO_ON | kDenormalsAreZero)) != 0;
#elif defined(__aarch64__)
    constexpr std::uint64_t kFlushToZero = 1U << 24;
    std::uint64_t fpcr = 0;
    asm("mrs %0, fpcr" : "=r"(fpcr));
    return (fpcr & kFlushToZero) != 0;
#else
    return false;
#endif
}

}  // namespace

std::optional<std::string> first_line(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    return line;
}

Environment read_environment() {
    Environment e;
    e.kernel = kernel();
    e.cpu = cpu_name();
    e.cpus = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
    e.governor = governor();
    e.turbo = turbo();
    e.smt = smt();
    e.isolated_cpus = first_line(kCpuFolder / "isolated").value_or("");
    e.mitigations = mitigations();
    e.clock_source = first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    e.compiler = compiler();
    e.flush_to_zero = flush_to_zero();
    return e;
}

std::optional<std::array<double, 3>> load_averages() {
    std::array<double, 3> load{};
    if (::getloadavg(load.data(), 3) != 3) return std::nullopt;
    return load;
}

MemoryGranted read_memory_granted() {
    return {kilobytes_of("/proc/self/status", "VmLck"), kilobytes_of("/proc/self/smaps_rollup", "AnonHugePages")};
}

}  // namespace weir
