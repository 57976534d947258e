#include "core/graph/fitting.h"
#include "core/graph/graph_scene.h"

#include <QMultiHash>

#include <algorithm>

namespace weir::editor {
namespace {

const PortView* portOf(const BlockView* block, const PortRef& ref) {
    if (!block) return nullptr;
    const auto& ports = ref.output ? block->outputs : block->inputs;
    const auto it = std::find_if(ports.begin(), ports.end(), [&ref](const PortView& p) { return p.id == ref.port; });
    return it == ports.end() ? nullptr : &*it;
}

QStringList possibleTypes(const PortView& port) {
    return port.itemType.isEmpty() ? port.allowedTypes : QStringList{port.itemType};
}

QStringList possibleTypes(const Fitting& fitting, const PortRef& port) {
    QStringList types;
    for (const std::string& type : fitting.typesAt(port.block.toStdString(), port.port.toStdString(), port.output))
        types.append(QString::fromStdString(type));
    return types;
}

/// Return the item types without the wire; nothing if `wire` is null: the scene's types are then right.
std::optional<Fitting> fittingWithout(const Json& project, const Catalog& catalog, const Connection* wire) {
    return wire ? std::optional<Fitting>(std::in_place, project, catalog, std::set<Connection>{*wire}) : std::nullopt;
}

/// Return every block downstream of `start`, or every block upstream of it.
QSet<QString> reachable(const std::vector<WireView>& wires, const QString& start, bool downstream,
                        const Connection* without) {
    QMultiHash<QString, QString> next;
    for (const WireView& wire : wires) {
        if (without && wire.connection == *without) continue;
        const QString source = QString::fromStdString(wire.connection.source);
        const QString target = QString::fromStdString(wire.connection.target);
        next.insert(downstream ? source : target, downstream ? target : source);
    }
    QSet<QString> seen{start};
    QStringList open{start};
    while (!open.isEmpty()) {
        const QString block = open.takeLast();
        for (auto it = next.constFind(block); it != next.constEnd() && it.key() == block; ++it)
            if (!seen.contains(*it)) {
                seen.insert(*it);
                open.append(*it);
            }
    }
    return seen;
}

bool isInputOf(const PortRef& port, const Connection* wire) {
    return wire && !port.output && port.block.toStdString() == wire->target &&
           port.port.toStdString() == wire->targetPort;
}

} // namespace

QString GraphScene::mismatch(const PortRef& source, const PortRef& target, const Connection* without,
                             const Fitting* fitting) const {
    const PortView* out = portOf(block(source.block), source);
    const PortView* in = portOf(block(target.block), target);
    if (!out || !in) return tr("this port does not exist");
    if (in->connected && in->itemType != kMessage && !isInputOf(target, without))
        return tr("%1.%2 is already connected").arg(target.block, target.port);
    const QStringList offered = fitting ? possibleTypes(*fitting, source) : possibleTypes(*out);
    const QStringList wanted = fitting ? possibleTypes(*fitting, target) : possibleTypes(*in);
    // A port for any items passes no messages.
    const QStringList messages{kMessage};
    const bool anyType = (offered.isEmpty() && wanted != messages) || (wanted.isEmpty() && offered != messages);
    const bool common =
        std::any_of(offered.begin(), offered.end(), [&](const QString& t) { return wanted.contains(t); });
    if (!anyType && !common) return tr("%1 cannot be connected to %2").arg(offered.join(u'/'), wanted.join(u'/'));
    return {};
}

QString GraphScene::connectionProblem(const PortRef& a, const PortRef& b, const Connection* without) const {
    if (a.output == b.output) return a.output ? tr("two outputs cannot be joined") : tr("two inputs cannot be joined");
    const PortRef& source = a.output ? a : b;
    const PortRef& target = a.output ? b : a;
    const auto fitting = fittingWithout(m_document.json(), m_catalog, without);
    const QString problem = mismatch(source, target, without, fitting ? &*fitting : nullptr);
    const PortView* port = portOf(block(source.block), source);
    if (!problem.isEmpty() || (port && port->itemType == kMessage)) return problem;  // messages may go in a circle
    return reachable(m_wires, target.block, true, without).contains(source.block) ? tr("this would create a cycle")
                                                                                  : QString();
}

QList<PortRef> GraphScene::portsThatAccept(const PortRef& port, const Connection* without) const {
    // Compute once, not for each port, which blocks would close a cycle.
    const PortView* own = portOf(block(port.block), port);
    const QSet<QString> closing =
        own && own->itemType == kMessage ? QSet<QString>() : reachable(m_wires, port.block, !port.output, without);
    const auto fitting = fittingWithout(m_document.json(), m_catalog, without);
    QList<PortRef> accepting;
    for (const BlockView& block : m_blocks) {
        if (closing.contains(block.id)) continue;
        for (const PortView& candidate : port.output ? block.inputs : block.outputs) {
            const PortRef other{block.id, candidate.id, !port.output};
            if (mismatch(port.output ? port : other, port.output ? other : port, without, fitting ? &*fitting : nullptr)
                    .isEmpty())
                accepting.append(other);
        }
    }
    return accepting;
}

} // namespace weir::editor
