#pragma once

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QSettings>
#include <QString>
#include <QVariant>
#include <QVariantMap>

#include <memory>

namespace weir::editor {

/// Folders of data that belongs to the user, not to a project.
struct UserPlaces {
    QString settingsFile;
    QString recoveryFolder;
    QString lockFolder; ///< for locks of open projects

    /// Return the places of the XDG base directories.
    static UserPlaces ofUser();
};

/// Values that last between starts. Without a file they last as long as the program, so that tests and pictures neither
/// see nor change the user's values.
class Memory : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

  public:
    using QObject::QObject;

    void use(const QString& file);
    Q_INVOKABLE QVariant value(const QString& key, const QVariant& fallback = {}) const;
    Q_INVOKABLE void setValue(const QString& key, const QVariant& value);

  private:
    std::unique_ptr<QSettings> m_settings;
    QVariantMap m_values;
};

}  // namespace weir::editor
