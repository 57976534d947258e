#pragma once

#include "core/json/json.h"

#include <QString>

#include <optional>
#include <vector>

namespace weir::editor {

/// A hardware thread and its position. `cache` is the index of its cache of the highest level, -1 without one.
struct MachineCpu {
    int cpu = 0;
    int core = 0;
    int package = 0;
    int node = 0;
    int cache = -1;
    int thread = 0; ///< index among the threads of its core
    bool allowed = false;
    bool isolated = false;

    /// True for CPUs under the same heading: same package, NUMA node and cache.
    bool isBeside(const MachineCpu& other) const {
        return package == other.package && node == other.node && cache == other.cache;
    }
};

/// The machine of `weir doctor --topology --json` or of a machine file, CPUs in the order of the lanes: by package,
/// NUMA node and shared cache, the threads of a core together.
struct Machine {
    QString name;
    QString summary; ///< "2 cores · 4 CPUs · L2 1 MiB"
    std::vector<MachineCpu> cpus;
    std::vector<QString> cacheNames; ///< "L3 32 MiB"

    const MachineCpu* cpu(int number) const;
    /// "Package 0 · NUMA node 0 · L3 32 MiB".
    QString headingOf(const MachineCpu& cpu) const;
};

/// Return the machine; nothing if the answer lacks a required member.
std::optional<Machine> machineFrom(const Json* answer);

/// "32 KiB": sizes of caches and buffers use binary prefixes.
QString binarySize(qint64 bytes);

} // namespace weir::editor
