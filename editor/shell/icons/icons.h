#pragma once

#include <QtQml/qqmlregistration.h>

#include <QByteArray>
#include <QCache>
#include <QColor>
#include <QHash>
#include <QImage>
#include <QObject>
#include <QSize>
#include <QString>
#include <QUrl>

class QJSEngine;
class QQmlEngine;

namespace weir::editor {

/// Icons of the store for QML. The first use adds the image provider to the engine.
class Icons : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    /// Changes when bindings must call `source` again.
    Q_PROPERTY(int revision READ revision NOTIFY changed)

  public:
    static Icons* create(QQmlEngine* engine, QJSEngine* scripts);

    int revision() const;
    /// Return the source of an Image, whose `sourceSize` decides the size. Empty if neither icon exists.
    Q_INVOKABLE QUrl source(const QString& name, const QString& otherwise, const QColor& color, int revision) const;

  signals:
    void changed();

  private:
    Icons();
};

/// All icons of the process by name: `undo` for the program, `category/filter` for blocks without an icon,
/// `block/fir_filter` for an icon from a block's folder.
/// An icon is SVG with strokes and fills in `currentColor`; the caller chooses the colour.
class IconStore : public QObject {
    Q_OBJECT

  public:
    static IconStore& get();

    /// Sets the icons of blocks, by type; replaces those of an earlier catalog.
    void setBlockIcons(const QHash<QString, QByteArray>& icons);

    /// Return the first of the two names that exists; empty if neither does.
    QString known(const QString& name, const QString& otherwise) const;
    /// Return the image of a known name, `pixels` wide and high. A null image if the SVG cannot be drawn.
    QImage image(const QString& name, const QColor& color, QSize pixels);
    /// Grows when the icons of blocks change.
    int revision() const { return m_revision; }

  signals:
    void changed();

  private:
    IconStore() = default;

    QByteArray svg(const QString& name) const;

    QHash<QString, QByteArray> m_blocks;
    QCache<QString, QImage> m_images{512};
    int m_revision = 0;
};

} // namespace weir::editor
