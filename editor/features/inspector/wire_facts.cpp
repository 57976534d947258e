#include "features/inspector/wire_facts.h"

#include "core/decor/decor.h"
#include "core/text/value_text.h"
#include "features/inspector/inspector_rows.h"
#include "shell/fields/row_builder.h"

#include <QObject>

#include <algorithm>
#include <limits>
#include <set>

namespace weir::editor {
namespace {

bool isPort(const QString& instancePort, const std::string& block, const std::string& port) {
    const qsizetype dot = instancePort.lastIndexOf(u'.');
    return blockOf(instancePort.left(dot)) == qt(block) && instancePort.mid(dot + 1) == qt(port);
}

std::vector<const PlannedStream*> streamsOf(const PlanView& plan, const Connection& wire) {
    std::vector<const PlannedStream*> found;
    for (const PlannedStream& stream : plan.streams)
        if (isPort(stream.from, wire.source, wire.sourcePort) &&
            std::any_of(stream.readers.begin(), stream.readers.end(),
                        [&](const QString& reader) { return isPort(reader, wire.target, wire.targetPort); }))
            found.push_back(&stream);
    return found;
}

/// Format "4 096 items", or "1 024 to 4 096 items" if the instances of a connection differ.
QString itemsText(const std::set<qint64>& sizes) {
    if (sizes.empty()) return {};
    const QString least = groupedDigits(QString::number(*sizes.begin()));
    const int most = static_cast<int>(std::min<qint64>(*sizes.rbegin(), std::numeric_limits<int>::max()));
    return sizes.size() == 1 ? QObject::tr("%1 item(s)", nullptr, most).arg(least)
                             : QObject::tr("%1 to %2 item(s)", nullptr, most)
                                   .arg(least, groupedDigits(QString::number(*sizes.rbegin())));
}

const CheckedValues::Port* checkedPort(const CheckedValues* values, const std::string& block, const std::string& port,
                                       bool output) {
    const CheckedValues::Block* checked = values ? values->block(block) : nullptr;
    if (!checked) return nullptr;
    const auto& ports = output ? checked->outputs : checked->inputs;
    const auto it = ports.find(port);
    return it == ports.end() ? nullptr : &it->second;
}

} // namespace

QString rateOf(const Connection& wire, const CheckedValues* values) {
    const CheckedValues::Port* from = checkedPort(values, wire.source, wire.sourcePort, true);
    const CheckedValues::Port* to = checkedPort(values, wire.target, wire.targetPort, false);
    return from && to ? QObject::tr("%1 : %2").arg(from->rate).arg(to->rate) : QString();
}

std::optional<double> measuredRate(const GraphScene& scene, const RunLoads& loads, const Connection& wire) {
    const auto through = [&loads](const BlockView* block) -> std::optional<double> {
        const auto load = block ? loads.blocks.constFind(block->id) : loads.blocks.constEnd();
        if (load == loads.blocks.constEnd() || load->itemsPerSecond < 0) return {};
        return load->itemsPerSecond;
    };
    // Items that enter a block are counted for all its inputs together, so only a single input is known.
    const BlockView* target = scene.block(qt(wire.target));
    if (target && target->inputs.size() == 1) return through(target);
    const BlockView* source = scene.block(qt(wire.source));
    return source && source->inputs.isEmpty() && source->outputs.size() == 1 ? through(source) : std::nullopt;
}

Facts bufferFacts(const Connection& wire, const PlanView* plan, const Json* run) {
    if (!plan) return {};
    const auto streams = streamsOf(*plan, wire);
    static const Json nothing = Json::object();
    const Json& ofThisPlan = run && string(*run, "deployment") == plan->deployment ? *run : nothing;
    const Json& granted = object(member(object(member(ofThisPlan, "granted")), "buffers"));
    std::set<qint64> requested, planned, given;
    for (const PlannedStream* stream : streams) {
        if (stream->requestedItems) requested.insert(*stream->requestedItems);
        planned.insert(stream->items);
        if (const Json* items = member(granted, stream->from.toStdString()); items && items->is_number())
            given.insert(items->get<qint64>());
    }
    if (planned.empty()) return {};
    Facts facts{{QObject::tr("Requested"), requested.empty() ? QObject::tr("auto") : itemsText(requested)},
                {QObject::tr("Planned"), itemsText(planned)}};
    facts.push_back({QObject::tr("Granted"), given.empty() ? QObject::tr("not run yet") : itemsText(given)});
    if (streams.size() > 1) facts.push_back({QObject::tr("Streams"), QString::number(streams.size())});
    return facts;
}

Facts measuredFacts(const GraphScene& scene, const RunLoads& loads, const Connection& wire, const QString& fill) {
    Facts facts;
    if (const auto rate = measuredRate(scene, loads, wire))
        facts.push_back({QObject::tr("Rate"), throughputText(*rate)});
    if (!fill.isEmpty()) facts.push_back({QObject::tr("Buffer"), fill});
    return facts;
}

std::vector<ParameterRow> bufferRows(const Json& project, const Connection& wire, const QString& deployment) {
    const auto place = deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    const Pointer items = *place / "buffers" / decor::wireKey(wire) / "items";
    ParameterRow row = documented(
        fieldRow(project, items, "i64", QObject::tr("Buffer"), QObject::tr("auto")),
        QObject::tr("Size of the buffer between the two blocks in this deployment, in items. Automatic: "
                    "as many items as the caches hold. The planner rounds the size up for memory and rates."),
        QStringLiteral("items"));
    row.name = QStringLiteral("buffer");
    row.minimum = 1;
    return {row};
}

std::vector<ParameterRow> probeRows(const Json& project, const Connection& wire) {
    std::vector<ParameterRow> rows;
    for (const std::string& block : std::set<std::string>{wire.source, wire.target})
        for (ParameterRow row : blockPropertyRows(project, {qt(block)}))
            if (row.name == QLatin1String("probe")) {
                row.title = qt(block);
                row.name = QObject::tr("probe of %1").arg(row.title);
                rows.push_back(std::move(row));
            }
    if (rows.size() == 2 && rows.front().title != qt(wire.source)) std::swap(rows.front(), rows.back());
    return rows;
}

} // namespace weir::editor
