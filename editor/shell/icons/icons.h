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

/// Icons of the store for QML. Its first use adds the provider of their images to the engine.
class Icons : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    /// For bindings: what `source` gave may be another now.
    Q_PROPERTY(int revision READ revision NOTIFY changed)

  public:
    static Icons* create(QQmlEngine* engine, QJSEngine* scripts);

    int revision() const;
    /// The source of an Image, whose `sourceSize` decides the size. Empty where there is neither icon.
    Q_INVOKABLE QUrl source(const QString& name, const QString& otherwise, const QColor& color, int revision) const;

  signals:
    void changed();

  private:
    Icons();
};

/// Every icon of the process by its name: `undo` for one of the program, `category/filter` for what blocks without an
/// icon show, `block/fir_filter` for what the folder of a block brings.
/// An icon is SVG whose strokes and fills are `currentColor`; who draws it says which.
class IconStore : public QObject {
    Q_OBJECT

  public:
    static IconStore& get();

    /// The icons of blocks, by their types; those of an earlier catalog go.
    void setBlockIcons(const QHash<QString, QByteArray>& icons);

    /// The first of the two that there is; empty where there is none.
    QString known(const QString& name, const QString& otherwise) const;
    /// Return the image of a known name, `pixels` wide and high. A null image if the SVG cannot be drawn.
    QImage image(const QString& name, const QColor& color, QSize pixels);
    /// Changes with the icons of blocks.
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
