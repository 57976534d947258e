#pragma once

#include "features/mapping/lane_view.h"

#include <QtQml/qqmlregistration.h>
#include <QColor>
#include <QPointer>
#include <QQuickPaintedItem>

namespace weir::editor {

/// Layer behind the bars: the backgrounds of lanes and the streams between bars.
class LaneLayer : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::LaneView* view MEMBER m_view WRITE setView NOTIFY changed REQUIRED)
    Q_PROPERTY(QColor laneColor MEMBER m_laneColor NOTIFY changed)
    Q_PROPERTY(QColor otherLaneColor MEMBER m_otherLaneColor NOTIFY changed)
    Q_PROPERTY(QColor lineColor MEMBER m_lineColor NOTIFY changed)
    Q_PROPERTY(QColor wireColor MEMBER m_wireColor NOTIFY changed)
    Q_PROPERTY(QColor innerWireColor MEMBER m_innerWireColor NOTIFY changed)
    Q_PROPERTY(QColor warningColor MEMBER m_warningColor NOTIFY changed)

  public:
    explicit LaneLayer(QQuickItem* parent = nullptr);

    void setView(LaneView* view);
    void paint(QPainter* painter) override;

  signals:
    void changed();

  private:
    void paintFrame(QPainter* painter, const LaneFrame& frame) const;

    QPointer<LaneView> m_view;
    QColor m_laneColor;
    QColor m_otherLaneColor;
    QColor m_lineColor;
    QColor m_wireColor;
    QColor m_innerWireColor;
    QColor m_warningColor;
};

} // namespace weir::editor
