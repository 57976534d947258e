#pragma once

#include "features/canvas/canvas_tools.h"
#include "shell/session/session.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QPointer>
#include <QSizeF>

namespace weir::editor {

/// Shape of a block of a given type, before the block exists.
class BlockShape : public QObject {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::CanvasTools* tools MEMBER m_tools NOTIFY changed REQUIRED)
    Q_PROPERTY(QString type MEMBER m_type NOTIFY changed)
    Q_PROPERTY(QSizeF size READ size NOTIFY changed)
    Q_PROPERTY(QString title READ title NOTIFY changed)
    Q_PROPERTY(QStringList inputs READ inputs NOTIFY changed)
    Q_PROPERTY(QStringList outputs READ outputs NOTIFY changed)

  public:
    using QObject::QObject;

    QSizeF size() const;
    QString title() const;
    /// Return the item types of its ports, in order; empty if they are inferred later.
    QStringList inputs() const;
    QStringList outputs() const;
    /// Return the distance from the upper edge to the centre of the port.
    Q_INVOKABLE static double portY(int index);

  signals:
    void changed();

  private:
    const BlockType* catalogType() const;

    QPointer<CanvasTools> m_tools;
    QString m_type;
};

} // namespace weir::editor
