#include "graph_scene.h"

#include <algorithm>

namespace weir::editor {
namespace {

const PortView *portOf(const BlockView *block, const PortRef &ref)
{
    if (!block)
        return nullptr;
    const auto &ports = ref.output ? block->outputs : block->inputs;
    const auto it = std::find_if(ports.begin(), ports.end(), [&ref](const PortView &p) { return p.id == ref.port; });
    return it == ports.end() ? nullptr : &*it;
}

QStringList possibleTypes(const PortView &port)
{
    return port.itemType.isEmpty() ? port.allowedTypes : QStringList{port.itemType};
}

bool reaches(const std::vector<WireView> &wires, const QString &from, const QString &to)
{
    QSet<QString> seen{from};
    QStringList open{from};
    while (!open.isEmpty()) {
        const QString block = open.takeLast();
        if (block == to)
            return true;
        for (const WireView &wire : wires) {
            const QString next = QString::fromStdString(wire.connection.target);
            if (wire.connection.source == block.toStdString() && !seen.contains(next)) {
                seen.insert(next);
                open.append(next);
            }
        }
    }
    return false;
}

} // namespace

QString GraphScene::connectionProblem(const PortRef &a, const PortRef &b) const
{
    if (a.output == b.output)
        return a.output ? tr("two outputs cannot be joined") : tr("two inputs cannot be joined");
    const PortRef &source = a.output ? a : b;
    const PortRef &target = a.output ? b : a;
    const PortView *out = portOf(block(source.block), source);
    const PortView *in = portOf(block(target.block), target);
    if (!out || !in)
        return tr("there is no such port");
    if (in->connected)
        return tr("%1.%2 has a connection already").arg(target.block, target.port);
    const QStringList offered = possibleTypes(*out);
    const QStringList wanted = possibleTypes(*in);
    const bool anyType = offered.isEmpty() || wanted.isEmpty();
    const bool common = std::any_of(offered.begin(), offered.end(), [&](const QString &t) { return wanted.contains(t); });
    if (!anyType && !common)
        return tr("%1 does not go into %2").arg(offered.join(u'/'), wanted.join(u'/'));
    if (reaches(m_wires, target.block, source.block))
        return tr("this would make a cycle");
    return {};
}

} // namespace weir::editor
