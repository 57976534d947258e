#pragma once

#include <QtQml/qqmlregistration.h>
#include <QFont>
#include <QFontDatabase>
#include <QObject>
#include <QString>

namespace weir::editor {

/// Font families of the theme that this machine has.
class Fonts : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    Q_PROPERTY(QString sans READ sans CONSTANT)
    Q_PROPERTY(QString mono READ mono CONSTANT)

  public:
    using QObject::QObject;

    static QString sans() {
        return firstOf({QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans")}, QFontDatabase::GeneralFont);
    }
    static QString mono() {
        return firstOf({QStringLiteral("Noto Sans Mono"), QStringLiteral("DejaVu Sans Mono")},
                       QFontDatabase::FixedFont);
    }

  private:
    static QString firstOf(const QStringList& families, QFontDatabase::SystemFont fallback) {
        for (const QString& family : families)
            if (QFontDatabase::hasFamily(family)) return family;
        return QFontDatabase::systemFont(fallback).family();
    }
};

} // namespace weir::editor
