// Tests the energy meter on synthetic sysfs trees that resemble real machines.
#include "weir/energy.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace {

using namespace weir;
namespace fs = std::filesystem;

constexpr std::uint64_t kPackageRange = 262143328850, kMemoryRange = 65712999613;  // values of an Intel server

class EnergyOf : public testing::Test {
  protected:
    EnergyOf() {
        fs::remove_all(root);
        write("powercap/intel-rapl/enabled", "1");  // switch for all zones
        write("hwmon/hwmon0/name", "coretemp");
        write("hwmon/hwmon0/temp1_input", "41000");
    }
    ~EnergyOf() override { fs::remove_all(root); }

    template <class T> void write(const std::string& path, const T& text) {
        const fs::path file = root / "class" / path;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text << "\n";
    }
    void zone(const std::string& id, const std::string& name, std::uint64_t energy_uj,
              std::uint64_t range = kPackageRange) {
        write("powercap/" + id + "/name", name);
        write("powercap/" + id + "/max_energy_range_uj", range);
        set(id, energy_uj);
    }
    void set(const std::string& id, std::uint64_t energy_uj) { write("powercap/" + id + "/energy_uj", energy_uj); }
    void sensor(int number, const std::string& label, std::uint64_t energy_uj) {
        const std::string stem = "hwmon/hwmon3/energy" + std::to_string(number);
        write("hwmon/hwmon3/name", "amd_energy");
        write(stem + "_label", label);
        write(stem + "_input", energy_uj);
    }
    void two_sockets() {
        zone("intel-rapl:0", "package-0", 5'000'000);
        zone("intel-rapl:0:0", "dram", 1'000'000, kMemoryRange);
        zone("intel-rapl:1", "package-1", 7'000'000);
        zone("intel-rapl:1:0", "dram", 2'000'000, kMemoryRange);
    }

    const fs::path root = fs::temp_directory_path() / ("weir_energy_" + std::to_string(::getpid()));
};

using Zones = std::vector<std::pair<std::string, std::optional<double>>>;
Zones zones_of(const Energy& energy) {
    Zones found;
    for (const ZoneEnergy& zone : energy.zones) found.emplace_back(zone.name, zone.joules);
    return found;
}

TEST_F(EnergyOf, TwoSocketsIsTheirSumAndEachPartIsReported) {
    two_sockets();
    EnergyMeter meter(root);
    meter.read();
    set("intel-rapl:0", 15'000'000);
    set("intel-rapl:0:0", 1'500'000);
    set("intel-rapl:1", 27'250'000);
    meter.read();
    const Energy energy = meter.spent();
    EXPECT_EQ(zones_of(energy),
              (Zones{{"package-0", 10}, {"package-0/dram", 0.5}, {"package-1", 20.25}, {"package-1/dram", 0}}));
    EXPECT_EQ(energy.joules, 30.25);
    EXPECT_EQ(energy.why_not, "");
    EXPECT_GT(energy.interval_s, 0);
}

TEST_F(EnergyOf, APackageIsNotCountedAgainAsThePlatformOrByAnotherDriver) {
    zone("intel-rapl:0", "package-0", 0);
    zone("intel-rapl:0:0", "core", 0);
    zone("intel-rapl:0:1", "uncore", 0);
    zone("intel-rapl:1", "psys", 0);
    zone("intel-rapl-mmio:0", "package-0", 0);
    sensor(1, "Esocket0", 0);
    EnergyMeter meter(root);
    meter.read();
    for (const char* id : {"intel-rapl:0", "intel-rapl:0:0", "intel-rapl:1", "intel-rapl-mmio:0"}) set(id, 4'000'000);
    sensor(1, "Esocket0", 4'000'000);
    meter.read();
    const Energy energy = meter.spent();
    EXPECT_EQ(zones_of(energy), (Zones{{"package-0", 4},
                                       {"package-0/core", 4},
                                       {"package-0/uncore", 0},
                                       {"psys", 4},
                                       {"amd_energy/Esocket0", 4}}));
    EXPECT_EQ(energy.joules, 4);
}

TEST_F(EnergyOf, AMachineWithSensorsIsThatOfItsSocketsWithoutCores) {
    sensor(1, "Ecore000", 10);
    sensor(10, "Esocket0", 100'000'000);
    sensor(9, "Ecore008", 10);
    sensor(11, "Esocket1", 200'000'000);
    EnergyMeter meter(root);
    meter.read();
    sensor(10, "Esocket0", 101'000'000);
    sensor(11, "Esocket1", 202'000'000);
    meter.read();
    EXPECT_EQ(zones_of(meter.spent()), (Zones{{"amd_energy/Esocket0", 1}, {"amd_energy/Esocket1", 2}}));
    EXPECT_EQ(meter.spent().joules, 3);
}

TEST_F(EnergyOf, ACounterThatWrapsAroundContinues) {
    zone("intel-rapl:0", "package-0", kPackageRange - 1'000'000);
    EnergyMeter meter(root);
    meter.read();
    set("intel-rapl:0", 2'000'000);
    meter.read();
    EXPECT_DOUBLE_EQ(meter.spent().joules.value_or(-1), 3);
}

TEST_F(EnergyOf, ALongRunIsReadRepeatedly) {
    constexpr double kRange = static_cast<double>(kPackageRange) * 1e-6;
    zone("intel-rapl:0", "package-0", 10'000'000);
    EnergyMeter meter(root);
    meter.keep_up(0);  // not started yet
    set("intel-rapl:0", 20'000'000);
    meter.read();
    set("intel-rapl:0", 15'000'000);
    meter.keep_up(0);
    set("intel-rapl:0", 25'000'000);
    meter.read();
    EXPECT_DOUBLE_EQ(meter.spent().joules.value_or(-1), kRange + 5);
    set("intel-rapl:0", 10'000'000);
    meter.keep_up();  // read a moment ago
    set("intel-rapl:0", 40'000'000);
    meter.read();
    EXPECT_DOUBLE_EQ(meter.spent().joules.value_or(-1), kRange + 20);
}

TEST_F(EnergyOf, ASensorThatDecreasesIsNotTrusted) {
    sensor(1, "Esocket0", 100);
    EnergyMeter meter(root);
    meter.read();
    sensor(1, "Esocket0", 50);
    meter.read();
    sensor(1, "Esocket0", 70);
    meter.read();
    EXPECT_EQ(meter.spent().joules, std::nullopt);
    EXPECT_TRUE(meter.spent().why_not.ends_with("energy1_input went backwards")) << meter.spent().why_not;
}

TEST_F(EnergyOf, OnePackageThatCannotBeReadLeavesNoSum) {
    two_sockets();
    EnergyMeter meter(root);
    meter.read();
    fs::remove(root / "class/powercap/intel-rapl:1/energy_uj");
    set("intel-rapl:0", 6'000'000);
    meter.read();
    const Energy energy = meter.spent();
    EXPECT_EQ(energy.joules, std::nullopt);
    EXPECT_EQ(zones_of(energy),
              (Zones{{"package-0", 1}, {"package-0/dram", 0}, {"package-1", std::nullopt}, {"package-1/dram", 0}}));
    EXPECT_TRUE(energy.why_not.ends_with("intel-rapl:1/energy_uj: No such file or directory")) << energy.why_not;
}

TEST_F(EnergyOf, AnUnpermittedReadNamesThePermission) {
    zone("intel-rapl:0", "package-0", 1);
    const fs::path file = root / "class/powercap/intel-rapl:0/energy_uj";
    fs::permissions(file, fs::perms::none);
    const uid_t self = ::geteuid();
    ASSERT_EQ(::seteuid(self == 0 ? 65534 : self), 0);  // root may read everything
    EnergyMeter meter(root);
    meter.read();
    ASSERT_EQ(::seteuid(self), 0);
    EXPECT_EQ(meter.spent().joules, std::nullopt);
    EXPECT_EQ(meter.spent().why_not, "only root may read " + file.string() + "; sudo chmod a+r " + file.string() +
                                         " permits it until the next boot");
}

TEST_F(EnergyOf, AMachineWithoutMetersIsNullWithAReason) {
    EnergyMeter meter(root);
    meter.read();
    meter.read();
    EXPECT_EQ(meter.spent().joules, std::nullopt);
    EXPECT_EQ(meter.spent().why_not, "no RAPL zone in /sys/class/powercap and no energy sensor in /sys/class/hwmon");
    write("hwmon/hwmon1/name", "i915");
    write("hwmon/hwmon1/energy1_input", "5");
    EnergyMeter other(root);
    other.read();
    EXPECT_EQ(zones_of(other.spent()), (Zones{{"i915/energy1", 0}}));
    EXPECT_EQ(other.spent().why_not, "no zone measures a whole package");
}

}  // namespace
