#include "features/canvas/block_shape.h"

#include "core/graph/node_geometry.h"

namespace weir::editor {
namespace {

QStringList typesOf(const std::vector<PortType>& ports) {
    QStringList types;
    for (const PortType& port : ports) types.append(port.type == "T" ? QString() : QString::fromStdString(port.type));
    return types;
}

} // namespace

const BlockType* BlockShape::catalogType() const {
    return m_tools ? m_tools->session().scene().catalog().anyBlock(m_type.toStdString()) : nullptr;
}

QSizeF BlockShape::size() const { return catalogType() ? m_tools->inserter()->sizeOf(m_type) : QSizeF(); }

QString BlockShape::title() const {
    const BlockType* type = catalogType();
    return type ? QString::fromStdString(type->title) : QString();
}

QStringList BlockShape::inputs() const {
    const BlockType* type = catalogType();
    return type ? typesOf(type->inputs) : QStringList();
}

QStringList BlockShape::outputs() const {
    const BlockType* type = catalogType();
    return type ? typesOf(type->outputs) : QStringList();
}

double BlockShape::portY(int index) { return geometry::portY(index); }

} // namespace weir::editor
