#include "core/graph/selection.h"

#include <algorithm>
#include <iterator>

namespace weir::editor {

Selection::Selection(GraphScene& scene, QObject* parent) : QObject(parent), m_scene(scene) {
    connect(&scene, &GraphScene::changed, this, &Selection::prune);
}

std::set<std::string> Selection::ids() const {
    std::set<std::string> ids;
    for (const QString& id : m_blocks) ids.insert(id.toStdString());
    return ids;
}

QString Selection::onlyBlock() const { return m_blocks.size() == 1 ? *m_blocks.begin() : QString(); }

void Selection::set(const QSet<QString>& blocks, const std::set<Connection>& wires, const std::set<DecorId>& decor) {
    if (m_blocks == blocks && m_wires == wires && m_decor == decor) return;
    emit aboutToChange();
    replace(blocks, wires, decor);
}

void Selection::replace(QSet<QString> blocks, std::set<Connection> wires, std::set<DecorId> decor) {
    if (m_blocks == blocks && m_wires == wires && m_decor == decor) return;
    m_blocks = std::move(blocks);
    m_wires = std::move(wires);
    m_decor = std::move(decor);
    emit changed();
}

void Selection::toggleBlock(const QString& id) {
    emit aboutToChange();
    if (!m_blocks.remove(id)) m_blocks.insert(id);
    emit changed();
}

void Selection::toggleWire(const Connection& connection) {
    emit aboutToChange();
    if (m_wires.erase(connection) == 0) m_wires.insert(connection);
    emit changed();
}

void Selection::toggleDecor(const DecorId& part) {
    emit aboutToChange();
    if (m_decor.erase(part) == 0) m_decor.insert(part);
    emit changed();
}

void Selection::prune() {
    QSet<QString> blocks;
    for (const QString& id : std::as_const(m_blocks))
        if (m_scene.block(id)) blocks.insert(id);
    std::set<Connection> wires;
    if (!m_wires.empty())
        for (const WireView& wire : m_scene.wires())
            if (m_wires.contains(wire.connection)) wires.insert(wire.connection);
    std::set<DecorId> decor;
    std::copy_if(m_decor.begin(), m_decor.end(), std::inserter(decor, decor.end()),
                 [this](const DecorId& part) { return m_scene.has(part); });
    replace(std::move(blocks), std::move(wires), std::move(decor));
}

} // namespace weir::editor
