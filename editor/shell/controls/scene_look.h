#pragma once

#include "core/look/look.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>

namespace weir::editor {

/// Colours and sizes of flowgraphs, shared with pictures of `weir export`.
class SceneLook : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    Q_PROPERTY(QVariantMap light READ light CONSTANT)
    Q_PROPERTY(QVariantMap dark READ dark CONSTANT)
    Q_PROPERTY(QVariantMap sizes READ sizes CONSTANT)

  public:
    using QObject::QObject;

    static QVariantMap light() { return themes()[QStringLiteral("light")].toMap(); }
    static QVariantMap dark() { return themes()[QStringLiteral("dark")].toMap(); }
    static QVariantMap sizes() { return lookJson(); }

  private:
    static QVariantMap themes() { return sizes()[QStringLiteral("themes")].toMap(); }
};

} // namespace weir::editor
