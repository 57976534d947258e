#pragma once

#include "features/canvas/graph_view.h"

#include <QtQml/qqmlregistration.h>
#include <QColor>
#include <QPointer>
#include <QQuickPaintedItem>

namespace weir::editor {

/// Mark on the wire that a dragged block would go into. It is above the blocks, as the dragged one covers the wire.
class DropMark : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::GraphView* view MEMBER m_view NOTIFY viewChanged REQUIRED)
    Q_PROPERTY(QColor color MEMBER m_color NOTIFY changed)

  public:
    explicit DropMark(QQuickItem* parent = nullptr);

    void paint(QPainter* painter) override;

  signals:
    void viewChanged();
    void changed();

  private:
    QPointer<GraphView> m_view;
    QColor m_color;
};

} // namespace weir::editor
