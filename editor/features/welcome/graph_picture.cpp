#include "features/welcome/graph_picture.h"

#include "core/json/json_reader.h"
#include "features/canvas/canvas_style.h"

#include <QFileInfo>
#include <QPainter>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr qreal kMargin = 14;
constexpr qreal kLargestScale = 0.4;
constexpr qint64 kMostBytes = 4 << 20; ///< a larger file takes too long to read for a preview

} // namespace

GraphPicture::GraphPicture(QQuickItem* parent) : QQuickPaintedItem(parent), m_scene(m_document) {
    setAntialiasing(true);
    connect(this, &GraphPicture::changed, this, [this] { update(); });
}

void GraphPicture::setSession(Session* session) {
    m_session = session;
    // Types and categories come from the catalog.
    m_scene.setCatalog(session->scene().catalog());
    connect(session, &Session::catalogChanged, this, [this] {
        m_scene.setCatalog(m_session->scene().catalog());
        emit changed();
    });
    emit changed();
}

void GraphPicture::setPath(const QString& path) {
    if (std::exchange(m_path, path) == path) return;
    const QFileInfo file(path);
    if (!file.isFile() || file.size() > kMostBytes || !m_document.open(path).isEmpty()) m_document.startNew();
    emit changed();
}

QString GraphPicture::title() const {
    const QString title = string(m_document.json(), "title");
    return title.isEmpty() ? string(m_document.json(), "name") : title;
}

QString GraphPicture::description() const { return string(m_document.json(), "description"); }

void GraphPicture::paint(QPainter* painter) {
    const QRectF bounds = m_scene.bounds();
    if (bounds.isEmpty()) return;
    const CanvasStyle style(m_colors);
    const QSizeF room = size() - QSizeF(2 * kMargin, 2 * kMargin);
    const qreal scale = std::min({room.width() / bounds.width(), room.height() / bounds.height(), kLargestScale});
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(width() / 2, height() / 2);
    painter->scale(scale, scale);
    painter->translate(-bounds.center());

    painter->setBrush(Qt::NoBrush);
    for (const WireView& wire : m_scene.wires()) {
        painter->strokePath(wire.path, QPen(style.type(wire.itemType), 1.5 / scale));
    }
    for (const BlockView& block : m_scene.blocks()) {
        const qreal radius = 3 / scale;
        painter->setPen(QPen(style.nodeBorder, 1 / scale));
        painter->setBrush(style.node);
        painter->drawRoundedRect(block.rect, radius, radius);
        painter->setPen(Qt::NoPen);
        painter->setBrush(style.category(block.category));
        painter->drawRoundedRect(QRectF(block.rect.topLeft(), QSizeF(block.rect.width(), 4 / scale)), radius / 2,
                                 radius / 2);
    }
}

} // namespace weir::editor
