#include "core/deployment/machine.h"
#include "core/text/texts.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace weir::editor {
namespace {

int number(const Json& object, std::string_view key) {
    const Json* value = member(object, key);
    return value && value->is_number() ? value->get<int>() : 0;
}

std::set<int> numbers(const Json* value) {
    std::set<int> found;
    for (const Json& entry : list(value))
        if (entry.is_number()) found.insert(entry.get<int>());
    return found;
}

/// Caches at the highest level with a cache that several cores share.
struct SharedCaches {
    std::vector<std::set<int>> cpus;
    std::vector<QString> names;
};

SharedCaches sharedCaches(const Json& answer) {
    int level = 0;
    for (const Json& cache : list(member(answer, "caches"))) level = std::max(level, number(cache, "level"));
    SharedCaches found;
    for (const Json& cache : list(member(answer, "caches"))) {
        if (level < 3 || number(cache, "level") != level) continue;
        const Json* bytes = member(cache, "bytes");
        found.cpus.push_back(numbers(member(cache, "cpus")));
        found.names.push_back(QStringLiteral("L%1 %2").arg(level).arg(
            binarySize(bytes && bytes->is_number() ? bytes->get<qint64>() : 0)));
    }
    return found;
}

QString summaryOf(const Json& answer, std::size_t cores, std::size_t cpus) {
    QStringList parts{MappingText::tr("%n core(s)", nullptr, static_cast<int>(cores)),
                      MappingText::tr("%n CPU(s)", nullptr, static_cast<int>(cpus))};
    for (int level = 1; level <= 2; ++level)
        for (const Json& cache : list(member(answer, "caches"))) {
            if (number(cache, "level") != level) continue;
            const Json* bytes = member(cache, "bytes");
            parts.append((level == 1 ? QStringLiteral("L1d %1") : QStringLiteral("L2 %1"))
                             .arg(binarySize(bytes && bytes->is_number() ? bytes->get<qint64>() : 0)));
            break;
        }
    return parts.join(QStringLiteral(" · "));
}

} // namespace

QString binarySize(qint64 bytes) {
    static const QString units[] = {QStringLiteral("B"), QStringLiteral("KiB"), QStringLiteral("MiB"),
                                    QStringLiteral("GiB"), QStringLiteral("TiB")};
    double size = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; size >= 1024 && unit + 1 < std::size(units); ++unit) size /= 1024;
    return QString::number(size, 'g', size >= 1000 ? 4 : 3) + u' ' + units[unit];
}

const MachineCpu* Machine::cpu(int number) const {
    const auto it = std::find_if(cpus.begin(), cpus.end(), [number](const MachineCpu& c) { return c.cpu == number; });
    return it == cpus.end() ? nullptr : &*it;
}

QString Machine::headingOf(const MachineCpu& cpu) const {
    QString text = MappingText::tr("Package %1 · NUMA node %2").arg(cpu.package).arg(cpu.node);
    if (cpu.cache >= 0) text += QStringLiteral(" · ") + cacheNames[static_cast<std::size_t>(cpu.cache)];
    return text;
}

std::optional<Machine> machineFrom(const Json* answer) {
    if (!answer || list(member(*answer, "cores")).empty()) return {};
    Machine machine;
    machine.name = string(*answer, "name");
    const std::set<int> allowed = numbers(member(*answer, "allowed"));
    const std::set<int> isolated = numbers(member(*answer, "isolated"));
    const SharedCaches caches = sharedCaches(*answer);
    machine.cacheNames = caches.names;
    for (const Json& core : list(member(*answer, "cores"))) {
        int thread = 0;
        for (const int cpu : numbers(member(core, "cpus"))) {
            const auto shared =
                std::find_if(caches.cpus.begin(), caches.cpus.end(), [cpu](const auto& c) { return c.contains(cpu); });
            machine.cpus.push_back({cpu, number(core, "id"), number(core, "package"), number(core, "numa"),
                                    shared == caches.cpus.end() ? -1 : static_cast<int>(shared - caches.cpus.begin()),
                                    thread++, allowed.contains(cpu), isolated.contains(cpu)});
        }
    }
    const auto place = [](const MachineCpu& c) { return std::tuple(c.package, c.node, c.cache, c.core, c.thread); };
    std::sort(machine.cpus.begin(), machine.cpus.end(),
              [&](const MachineCpu& a, const MachineCpu& b) { return place(a) < place(b); });
    machine.summary = summaryOf(*answer, list(member(*answer, "cores")).size(), machine.cpus.size());
    return machine;
}

} // namespace weir::editor
