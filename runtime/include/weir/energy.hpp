// Energy that the machine's packages used during a run, from RAPL (powercap) and the energy sensors of hwmon. It covers
// the whole machine, not only this process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace weir {

struct ZoneEnergy {
    std::string name;  ///< `package-0`, `package-0/core`, or for a sensor `amd_energy/Esocket0`
    std::optional<double> joules;  ///< absent: not readable
};

struct Energy {
    double interval_s = 0;  ///< from the first reading to the last
    std::vector<ZoneEnergy> zones;
    std::optional<double> joules;  ///< sum over all packages
    std::string why_not;  ///< reason for an absent value; empty: nothing is absent
};

/// Sums up the energy of its zones from the first `read` to the last.
class EnergyMeter {
  public:
    /// Find the zones. `sys`: root of sysfs.
    explicit EnergyMeter(const std::filesystem::path& sys);

    /// Interval within which no zone wraps twice. The smallest range, of a memory zone, is 65 kJ: 2 kW for this time.
    static constexpr std::int64_t kKeepUp_ns = 30'000'000'000;

    void read();
    /// Read the zones if the last reading is older than `ago_ns`, so that no zone wraps twice in between. Any thread.
    void keep_up(std::int64_t ago_ns = kKeepUp_ns);
    Energy spent() const;

  private:
    struct Zone {
        std::string name;
        std::filesystem::path file;  ///< counter in microjoules
        std::optional<std::uint64_t> range;  ///< value at which it wraps to 0; absent: it does not wrap
        bool is_package;
        std::optional<std::uint64_t> last = {};
        std::uint64_t spent = 0;
        std::string problem = {};  ///< error, after which the zone is not read; empty: none
    };

    void find_powercap(const std::filesystem::path& folder);
    void find_sensors(const std::filesystem::path& folder);
    static void read(Zone& zone);

    std::vector<Zone> zones_;
    std::int64_t first_ns_ = 0, last_ns_ = 0;
    mutable std::mutex mutex_;
};

}  // namespace weir
