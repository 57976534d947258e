#include "selection.h"

#include <algorithm>

namespace weir::editor {

Selection::Selection(GraphScene &scene, QObject *parent) : QObject(parent), m_scene(scene)
{
    connect(&scene, &GraphScene::changed, this, &Selection::prune);
}

QString Selection::onlyBlock() const
{
    return m_blocks.size() == 1 ? *m_blocks.begin() : QString();
}

void Selection::set(const QSet<QString> &blocks, const std::set<Connection> &wires)
{
    if (m_blocks == blocks && m_wires == wires)
        return;
    m_blocks = blocks;
    m_wires = wires;
    emit changed();
}

void Selection::toggleBlock(const QString &id)
{
    if (!m_blocks.remove(id))
        m_blocks.insert(id);
    emit changed();
}

void Selection::toggleWire(const Connection &connection)
{
    if (m_wires.erase(connection) == 0)
        m_wires.insert(connection);
    emit changed();
}

void Selection::prune()
{
    QSet<QString> blocks;
    for (const QString &id : std::as_const(m_blocks))
        if (m_scene.block(id))
            blocks.insert(id);
    std::set<Connection> wires;
    if (!m_wires.empty())
        for (const WireView &wire : m_scene.wires())
            if (m_wires.contains(wire.connection))
                wires.insert(wire.connection);
    set(blocks, wires);
}

} // namespace weir::editor
