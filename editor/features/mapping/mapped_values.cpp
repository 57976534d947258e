#include "features/mapping/mapped_values.h"

#include "core/deployment/machine.h"
#include "core/deployment/scheduling_text.h"
#include "core/text/texts.h"
#include "core/text/value_text.h"

#include <algorithm>
#include <utility>

namespace weir::editor {
namespace {

const Json& part(const Json* result, std::string_view kind, std::string_view what) {
    static const Json nothing = Json::object();
    return result ? object(member(object(member(*result, kind)), what)) : nothing;
}

QString cpusOf(const Json* value) {
    if (!value || !value->is_array()) return {};
    std::vector<int> cpus;
    for (const Json& cpu : *value)
        if (cpu.is_number()) cpus.push_back(cpu.get<int>());
    return cpus.empty() ? MappingText::tr("any") : cpuList(cpus);
}

QString yesNo(bool on) { return on ? MappingText::tr("yes") : MappingText::tr("no"); }

/// Fill in the verdict. `refused`: the run was granted another value than planned.
MappedValue compared(MappedValue value, bool requested, bool refused) {
    if (refused) {
        value.verdict = MappingText::tr("not granted");
        value.wrong = true;
    } else if (requested && value.requested != value.planned) {
        value.verdict = MappingText::tr("rounded");
    }
    return value;
}

void addAffinity(std::vector<MappedValue>& values, const PlanView& plan, const Json* result) {
    for (const PlannedWorker& worker : plan.workers) {
        MappedValue value{worker.name,
                          MappingText::tr("CPU"),
                          worker.requested ? cpuList(*worker.requested) : MappingText::tr("auto"),
                          worker.cpus.empty() ? MappingText::tr("any") : cpuList(worker.cpus),
                          grantedCpus(result, worker.name),
                          {}};
        // An unpinned worker accepts every CPU that it is granted.
        const bool refused = !value.granted.isEmpty() && !worker.cpus.empty() && value.granted != value.planned;
        values.push_back(compared(std::move(value), false, refused));
    }
}

void addPriority(std::vector<MappedValue>& values, const PlanView& plan, const Json* result) {
    const Json& granted = part(result, "granted", "priority");
    for (const PlannedWorker& worker : plan.workers) {
        const QString planned = worker.scheduling.isEmpty() ? plan.scheduling : worker.scheduling;
        MappedValue value{worker.name, MappingText::tr("policy"), planned, planned, {}, {}};
        if (const Json* got = member(granted, worker.name.toStdString()))
            value.granted = planned.contains(QLatin1String("slack")) ? schedulingText(*got) : policyText(*got);
        const bool refused = !value.granted.isEmpty() && value.granted != planned;
        if (refused || planned != QLatin1String("other")) values.push_back(compared(std::move(value), false, refused));
    }
}

void addMemory(std::vector<MappedValue>& values, const PlanView& plan, const Json* result) {
    const Json& granted = part(result, "granted", "memory");
    const auto add = [&](const QString& what, bool requested, const char* key) {
        MappedValue value{MappingText::tr("memory"), what, yesNo(requested), yesNo(requested), {}, {}};
        const Json* bytes = member(granted, key);
        if (bytes && bytes->is_number()) value.granted = *bytes == 0 ? yesNo(false) : binarySize(bytes->get<qint64>());
        values.push_back(compared(std::move(value), false, requested && bytes && (!bytes->is_number() || *bytes == 0)));
    };
    add(MappingText::tr("locked"), plan.lockMemory, "locked_bytes");
    add(MappingText::tr("huge pages"), plan.hugePages, "huge_page_bytes");
    if (!plan.numa.isEmpty())
        values.push_back({MappingText::tr("memory"), MappingText::tr("NUMA node"), plan.numa, plan.numa, {}, {}});
}

void addBuffers(std::vector<MappedValue>& values, const PlanView& plan, const Json* result) {
    const Json& granted = part(result, "granted", "buffers");
    const auto shown = [](qint64 items) { return groupedDigits(QString::number(items)); };
    for (const PlannedStream& stream : plan.streams) {
        MappedValue value{stream.from,
                          MappingText::tr("buffer, items"),
                          stream.requestedItems ? shown(*stream.requestedItems) : MappingText::tr("auto"),
                          shown(stream.items),
                          {},
                          {}};
        if (const Json* got = member(granted, stream.from.toStdString()); got && got->is_number())
            value.granted = shown(got->get<qint64>());
        const bool refused = !value.granted.isEmpty() && value.granted != value.planned;
        values.push_back(compared(std::move(value), stream.requestedItems.has_value(), refused));
    }
}

} // namespace

QString grantedCpus(const Json* result, const QString& worker) {
    return cpusOf(member(part(result, "granted", "affinity"), worker.toStdString()));
}

std::vector<MappedValue> mappedValues(const PlanView& plan, const Json* result, bool isEarlier) {
    if (result && string(*result, "deployment") != plan.deployment) result = nullptr;
    std::vector<MappedValue> values;
    addAffinity(values, plan, result);
    addPriority(values, plan, result);
    addMemory(values, plan, result);
    addBuffers(values, plan, result);
    for (MappedValue& value : values)
        if (isEarlier && std::exchange(value.wrong, false)) value.verdict.clear();
    // Differences first, as readers look for them.
    std::stable_sort(values.begin(), values.end(), [](const MappedValue& a, const MappedValue& b) {
        return !a.verdict.isEmpty() && b.verdict.isEmpty();
    });
    return values;
}
} // namespace weir::editor
