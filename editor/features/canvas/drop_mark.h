#pragma once

#include "features/canvas/graph_view.h"

#include <QtQml/qqmlregistration.h>
#include <QColor>
#include <QPointer>
#include <QQuickPaintedItem>

namespace weir::editor {

/// The wire that what is dragged would go into: over the blocks, since the one that is dragged lies on it.
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
