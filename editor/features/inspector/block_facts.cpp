#include "features/inspector/block_facts.h"

#include "core/text/value_text.h"
#include "shell/fields/row_builder.h"

#include <QObject>

#include <utility>

namespace weir::editor {
namespace {

bool isTrue(const Json& facts, const char* key) {
    const Json* value = member(facts, key);
    return value && value->is_boolean() && value->get<bool>();
}

QString count(const Json* value) {
    return value && value->is_number() ? groupedDigits(QString::number(value->get<double>(), 'f', 0))
                                       : QObject::tr("not measured");
}

QStringList peersOf(const GraphScene& scene, const QString& block, const QString& port, bool output) {
    QStringList peers;
    for (const WireView& wire : scene.wires()) {
        const Connection& c = wire.connection;
        if (output && qt(c.source) == block && qt(c.sourcePort) == port)
            peers.append(qt(c.target) + u'.' + qt(c.targetPort));
        if (!output && qt(c.target) == block && qt(c.targetPort) == port)
            peers.append(qt(c.source) + u'.' + qt(c.sourcePort));
    }
    return peers;
}

QString rateText(const GraphScene& scene, const BlockView& block, const PortView& port, bool output,
                 const CheckedValues* values) {
    if (const CheckedValues::Block* checked = values ? values->block(block.id.toStdString()) : nullptr) {
        const auto& ports = output ? checked->outputs : checked->inputs;
        if (const auto it = ports.find(port.id.toStdString()); it != ports.end())
            return QString::number(it->second.rate);
    }
    if (const BlockType* type = scene.catalog().block(block.type.toStdString()))
        for (const PortType& described : output ? type->outputs : type->inputs)
            if (qt(described.id) == port.id) return qt(described.rate);
    return {};
}

void addInstance(Facts& facts, QString heading, const Json& entry) {
    const auto add = [&](const QString& label, const QString& text) {
        facts.push_back({label, text, std::exchange(heading, {})});
    };
    const std::string worker = text(member(entry, "worker"));
    add(QObject::tr("Worker"), worker.empty() ? QObject::tr("any") : qt(worker));
    add(QObject::tr("Calls"), count(member(entry, "calls")));
    add(QObject::tr("Items in"), count(member(entry, "items_in")));
    add(QObject::tr("Items out"), count(member(entry, "items_out")));
    const Json* busy = member(entry, "busy_ns");
    add(QObject::tr("Busy"), busy && busy->is_number() ? siText(busy->get<double>() * 1e-9, QStringLiteral("s"))
                                                       : QObject::tr("not measured"));
    if (const Json* perCall = member(entry, "items_per_call"); perCall && perCall->is_object())
        add(QObject::tr("Items per call"),
            QObject::tr("%1 (5 %: %2, 95 %: %3)")
                .arg(count(member(*perCall, "p50")), count(member(*perCall, "p5")), count(member(*perCall, "p95"))));
}

} // namespace

std::vector<PortFacts> portFacts(const GraphScene& scene, const QString& block, const CheckedValues* values) {
    std::vector<PortFacts> facts;
    const BlockView* view = scene.block(block);
    if (!view) return facts;
    for (const bool output : {false, true})
        for (const PortView& port : output ? view->outputs : view->inputs)
            facts.push_back({port.id, output, port.itemType, port.allowedTypes,
                             rateText(scene, *view, port, output, values), peersOf(scene, block, port.id, output)});
    return facts;
}

Facts blockFacts(const BlockType& type) {
    Facts facts;
    if (!type.itemTypes.empty())
        facts.push_back({QObject::tr("Item types"), qtList(type.itemTypes).join(QStringLiteral(", "))});
    const std::string state = text(member(type.behaviour, "state"));
    if (state == "stateless") facts.push_back({QObject::tr("State"), QObject::tr("none: each item is independent")});
    else if (state == "history")
        facts.push_back({QObject::tr("State"),
                         QObject::tr("history: an output item also depends on a bounded number of earlier items")});
    else if (state == "stateful")
        facts.push_back(
            {QObject::tr("State"), QObject::tr("stateful: an output item can depend on all earlier items")});
    QStringList behaviour;
    const std::string rates = text(member(type.behaviour, "rates"));
    if (rates == "fixed") behaviour.append(QObject::tr("moves all offered items"));
    else if (rates == "until_end") behaviour.append(QObject::tr("moves all offered items until it ends"));
    else if (rates == "varying") behaviour.append(QObject::tr("may move fewer items than offered"));
    if (isTrue(type.behaviour, "element_wise")) behaviour.append(QObject::tr("element-wise"));
    if (isTrue(type.behaviour, "in_place")) behaviour.append(QObject::tr("works in place"));
    if (isTrue(type.behaviour, "random_access"))
        behaviour.append(QObject::tr("can skip ahead: computes item n without the items before it"));
    if (isTrue(type.behaviour, "waits"))
        behaviour.append(QObject::tr("waits for a point in time (the scheduler does the waiting)"));
    if (isTrue(type.behaviour, "paces"))
        behaviour.append(QObject::tr("sets the time at which each item is due, from which latency counts"));
    if (isTrue(type.behaviour, "blocking_io")) behaviour.append(QObject::tr("reads or writes files"));
    if (const Json* bounds = member(type.behaviour, "bounds"))
        behaviour.append(QObject::tr("ends the stream after \"%1\"").arg(qt(text(bounds))));
    if (!behaviour.isEmpty()) facts.push_back({QObject::tr("Behaviour"), behaviour.join(QStringLiteral(", "))});
    const Json* ulp = member(type.accuracy, "ulp");
    QStringList accuracy;
    if (ulp && ulp->is_number() && ulp->get<double>() > 0)
        accuracy.append(QObject::tr("Within %1 ulp.").arg(numberText(ulp->get<double>())));
    if (const QString note = qt(text(member(type.accuracy, "note"))); !note.isEmpty()) accuracy.append(note);
    if (!accuracy.isEmpty()) facts.push_back({QObject::tr("Accuracy"), accuracy.join(u' ')});
    return facts;
}

Facts runtimeFacts(const Json& result, const QString& block) {
    std::vector<const Json*> instances;
    for (const Json& entry : list(member(result, "blocks"))) {
        const std::string name = text(member(entry, "id"));
        if (qt(name.substr(0, name.find_first_of("[@"))) == block) instances.push_back(&entry);
    }
    Facts facts;
    for (const Json* instance : instances)
        addInstance(facts, instances.size() > 1 ? qt(text(member(*instance, "id"))) : QString(), *instance);
    return facts;
}

} // namespace weir::editor
