#pragma once

#include <QtQml/qqmlregistration.h>
#include <QColor>
#include <QObject>
#include <QUrl>

class QJSEngine;
class QQmlEngine;

namespace weir::editor {

/// Where QML finds the icons of the store. The engine has the provider of their images with the first use of this.
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

} // namespace weir::editor
