#include "weir/energy.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>

#include "weir/clock.hpp"
#include "weir/environment.hpp"
#include "weir/numbers.hpp"
#include "weir/text.hpp"

namespace fs = std::filesystem;

namespace weir {
namespace {

/// Return the entries of a folder whose names match `pattern` (of sscanf), by their one or two numbers.
std::map<std::array<int, 2>, fs::path> numbered(const fs::path& folder, const char* pattern) {
    std::map<std::array<int, 2>, fs::path> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        std::array<int, 2> numbers{-1, -1};
        if (std::sscanf(entry.path().filename().c_str(), pattern, &numbers[0], &numbers[1]) > 0)
            found[numbers] = entry.path();
    }
    return found;
}

std::optional<std::uint64_t> count_in(const fs::path& path) {
    const std::optional<std::string> line = first_line(path);
    const std::optional<std::int64_t> count = line ? parse_integer(*line) : std::nullopt;
    return count && *count >= 0 ? std::optional(static_cast<std::uint64_t>(*count)) : std::nullopt;
}

std::string unreadable(const fs::path& path, int error) {
    if (error != EACCES && error != EPERM)
        return concat({path.string(), ": ", error != 0 ? std::strerror(error) : "no number"});
    return concat(
        {"only root may read ", path.string(), "; sudo chmod a+r ", path.string(), " permits it until the next boot"});
}

}  // namespace

EnergyMeter::EnergyMeter(const fs::path& sys) {
    find_powercap(sys / "class/powercap");
    find_sensors(sys / "class/hwmon");
}

void EnergyMeter::find_powercap(const fs::path& folder) {
    std::string package;
    // Zones of intel-rapl-mmio are the same zones, read in another way. A zone comes before the zones inside it.
    for (const auto& [numbers, zone] : numbered(folder, "intel-rapl:%d:%d")) {
        const std::string name = first_line(zone / "name").value_or(zone.filename().string());
        const bool is_part = numbers[1] >= 0;
        if (!is_part) package = name;
        zones_.push_back({.name = is_part ? concat({package, "/", name}) : name,
                          .file = zone / "energy_uj",
                          .range = count_in(zone / "max_energy_range_uj"),
                          .is_package = !is_part && name.starts_with("package")});
    }
}

void EnergyMeter::find_sensors(const fs::path& folder) {
    const bool by_sensors = std::ranges::none_of(zones_, &Zone::is_package);
    for (const auto& [_, chip] : numbered(folder, "hwmon%d")) {
        const std::string name = first_line(chip / "name").value_or(chip.filename().string());
        for (const auto& [numbers, any] : numbered(chip, "energy%d")) {
            const fs::path stem = chip / concat({"energy", std::to_string(numbers[0])});
            const std::string label = first_line(stem.string() + "_label").value_or(stem.filename().string());
            if (label.starts_with("Ecore")) continue;  // reading it interrupts its core in the middle of a run
            zones_.push_back({.name = concat({name, "/", label}),
                              .file = stem.string() + "_input",
                              .range = std::nullopt,
                              .is_package = by_sensors && label.starts_with("Esocket")});
        }
    }
}

void EnergyMeter::read() {
    const std::lock_guard lock(mutex_);
    for (Zone& zone : zones_) read(zone);
    last_ns_ = monotonic_ns();
    if (first_ns_ == 0) first_ns_ = last_ns_;
}

void EnergyMeter::read(Zone& zone) {
    if (!zone.problem.empty()) return;
    errno = 0;
    const std::optional<std::uint64_t> now = count_in(zone.file);
    const std::uint64_t last = zone.last.value_or(now.value_or(0));
    if (!now) zone.problem = unreadable(zone.file, errno);
    else if (*now >= last) zone.spent += *now - last;
    else if (zone.range && last <= *zone.range) zone.spent += *now + (*zone.range - last);
    else zone.problem = concat({zone.file.string(), " went backwards"});
    zone.last = now;
}

void EnergyMeter::keep_up(std::int64_t ago_ns) {
    {
        const std::lock_guard lock(mutex_);
        if (first_ns_ == 0 || monotonic_ns() - last_ns_ < ago_ns) return;
    }
    read();
}

Energy EnergyMeter::spent() const {
    const std::lock_guard lock(mutex_);
    Energy energy{
        .interval_s = static_cast<double>(last_ns_ - first_ns_) * 1e-9, .zones = {}, .joules = {}, .why_not = {}};
    bool all = std::ranges::any_of(zones_, &Zone::is_package);
    if (zones_.empty()) energy.why_not = "no RAPL zone in /sys/class/powercap and no energy sensor in /sys/class/hwmon";
    else if (!all) energy.why_not = "no zone measures a whole package";
    double sum = 0;
    for (const Zone& zone : zones_) {
        const double joules = static_cast<double>(zone.spent) * 1e-6;
        energy.zones.push_back({zone.name, zone.problem.empty() ? std::optional(joules) : std::nullopt});
        if (energy.why_not.empty()) energy.why_not = zone.problem;
        if (!zone.is_package) continue;
        sum += joules;
        all = all && zone.problem.empty();
    }
    if (all) energy.joules = sum;
    return energy;
}

}  // namespace weir
