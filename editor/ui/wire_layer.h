#pragma once

#include "graph_view.h"

#include <QColor>
#include <QPointer>
#include <QQuickPaintedItem>
#include <QVariantMap>
#include <QtQml/qqmlregistration.h>

/// Grid, groups, every wire, and blocks that are too small for detail, painted in one item: this also draws where shaders do not, and stays one texture.
class WireLayer : public QQuickPaintedItem
{
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(GraphView *view READ view WRITE setView NOTIFY viewChanged REQUIRED)
    Q_PROPERTY(QColor canvasColor MEMBER m_canvasColor NOTIFY coloursChanged)
    Q_PROPERTY(QColor dotColor MEMBER m_dotColor NOTIFY coloursChanged)
    Q_PROPERTY(QColor accentColor MEMBER m_accentColor NOTIFY coloursChanged)
    Q_PROPERTY(QColor errorColor MEMBER m_errorColor NOTIFY coloursChanged)
    Q_PROPERTY(QColor mutedColor MEMBER m_mutedColor NOTIFY coloursChanged)
    Q_PROPERTY(QColor labelColor MEMBER m_labelColor NOTIFY coloursChanged)
    Q_PROPERTY(QColor blockColor MEMBER m_blockColor NOTIFY coloursChanged)
    Q_PROPERTY(QVariantMap categoryColors MEMBER m_categoryColors NOTIFY coloursChanged)
    Q_PROPERTY(QVariantMap typeColors MEMBER m_typeColors NOTIFY coloursChanged)

public:
    explicit WireLayer(QQuickItem *parent = nullptr);

    GraphView *view() const { return m_view; }
    void setView(GraphView *view);
    void paint(QPainter *painter) override;

signals:
    void viewChanged();
    void coloursChanged();

private:
    void paintGrid(QPainter &painter) const;
    void paintGroups(QPainter &painter) const;
    void paintWires(QPainter &painter) const;
    void paintBlocks(QPainter &painter) const;
    void paintPendingWire(QPainter &painter) const;
    QColor typeColor(const QString &type) const;

    QPointer<GraphView> m_view;
    QColor m_canvasColor, m_dotColor, m_accentColor, m_errorColor, m_mutedColor, m_labelColor, m_blockColor;
    QVariantMap m_typeColors, m_categoryColors;
};
