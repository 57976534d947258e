// What the machine's packages took while a run went, by RAPL (powercap) and the energy sensors of hwmon. It is the whole machine's
// and not this process's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace weir {

struct ZoneEnergy {
    std::string name;  ///< `package-0`, `package-0/core`; of a sensor `amd_energy/Esocket0`
    std::optional<double> joules;  ///< absent: it could not be read
};

struct Energy {
    double interval_s = 0;  ///< from the first reading to the last
    std::vector<ZoneEnergy> zones;
    std::optional<double> joules;  ///< of all packages together
    std::string why_not;  ///< why something of it is absent; empty: nothing is
};

/// Adds up what its zones took from its first `read` to its last.
class EnergyMeter {
  public:
    /// `sys`: where sysfs is.
    explicit EnergyMeter(const std::filesystem::path& sys);

    /// The smallest range of a zone, a memory's, is 65 kJ, for which 2 kW take this long.
    static constexpr std::int64_t kKeepUp_ns = 30'000'000'000;

    void read();
    /// Reads where that was so long ago, lest a zone wraps around twice. Any thread.
    void keep_up(std::int64_t ago_ns = kKeepUp_ns);
    Energy spent() const;

  private:
    struct Zone {
        std::string name;
        std::filesystem::path file;  ///< microjoules since some time
        std::optional<std::uint64_t> range;  ///< where they begin again at 0; absent: nowhere
        bool is_package;
        std::optional<std::uint64_t> last = {};
        std::uint64_t spent = 0;
        std::string problem = {};  ///< what it lacks from then on; empty: nothing
    };

    void find_powercap(const std::filesystem::path& folder);
    void find_sensors(const std::filesystem::path& folder);
    static void read(Zone& zone);

    std::vector<Zone> zones_;
    std::int64_t first_ns_ = 0, last_ns_ = 0;
    mutable std::mutex mutex_;
};

}  // namespace weir
