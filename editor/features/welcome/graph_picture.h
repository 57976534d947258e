#pragma once

#include "editor.h"

#include <QColor>
#include <QPointer>
#include <QQuickPaintedItem>
#include <QVariantMap>
#include <QtQml/qqmlregistration.h>

/// The flowgraph of a project file, as a small picture.
class GraphPicture : public QQuickPaintedItem
{
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(Editor *editor READ editor WRITE setEditor NOTIFY changed REQUIRED)
    Q_PROPERTY(QString path MEMBER m_path NOTIFY changed REQUIRED)
    Q_PROPERTY(QColor blockColor MEMBER m_blockColor NOTIFY changed)
    Q_PROPERTY(QColor borderColor MEMBER m_borderColor NOTIFY changed)
    Q_PROPERTY(QColor wireColor MEMBER m_wireColor NOTIFY changed)
    Q_PROPERTY(QVariantMap categoryColors MEMBER m_categoryColors NOTIFY changed)
    Q_PROPERTY(QVariantMap typeColors MEMBER m_typeColors NOTIFY changed)

public:
    explicit GraphPicture(QQuickItem *parent = nullptr);

    Editor *editor() const { return m_editor; }
    void setEditor(Editor *editor);
    void paint(QPainter *painter) override;

signals:
    void changed();

private:
    QPointer<Editor> m_editor;
    QString m_path;
    QColor m_blockColor, m_borderColor, m_wireColor;
    QVariantMap m_categoryColors, m_typeColors;
};
