#include "graph_picture.h"

#include <QPainter>

#include <algorithm>

using namespace weir::editor;

namespace {

constexpr qreal kMargin = 14;
constexpr qreal kLargestScale = 0.4;

} // namespace

GraphPicture::GraphPicture(QQuickItem *parent) : QQuickPaintedItem(parent)
{
    setAntialiasing(true);
    connect(this, &GraphPicture::changed, this, [this] { update(); });
}

void GraphPicture::setEditor(Editor *editor)
{
    m_editor = editor;
    // Types and categories are known once the catalog is.
    connect(editor, &Editor::catalogChanged, this, [this] { update(); });
    emit changed();
}

void GraphPicture::paint(QPainter *painter)
{
    Document document;
    if (!m_editor || !document.open(m_path).isEmpty())
        return;
    GraphScene scene(document);
    scene.setCatalog(m_editor->scene().catalog());
    const QRectF bounds = scene.bounds();
    if (bounds.isEmpty())
        return;
    const QSizeF room = size() - QSizeF(2 * kMargin, 2 * kMargin);
    const qreal scale = std::min({room.width() / bounds.width(), room.height() / bounds.height(), kLargestScale});
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(width() / 2, height() / 2);
    painter->scale(scale, scale);
    painter->translate(-bounds.center());

    painter->setBrush(Qt::NoBrush);
    for (const WireView &wire : scene.wires()) {
        const QColor color = m_typeColors.value(wire.itemType, m_wireColor).value<QColor>();
        painter->strokePath(wire.path, QPen(color, 1.5 / scale));
    }
    for (const BlockView &block : scene.blocks()) {
        const qreal radius = 3 / scale;
        const QColor color = m_categoryColors.value(block.category, m_borderColor).value<QColor>();
        painter->setPen(QPen(m_borderColor, 1 / scale));
        painter->setBrush(m_blockColor);
        painter->drawRoundedRect(block.rect, radius, radius);
        painter->setPen(Qt::NoPen);
        painter->setBrush(color);
        painter->drawRoundedRect(QRectF(block.rect.topLeft(), QSizeF(block.rect.width(), 4 / scale)), radius / 2, radius / 2);
    }
}
