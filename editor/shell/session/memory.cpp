#include "shell/session/memory.h"

#include <QDir>
#include <QStandardPaths>

namespace weir::editor {

UserPlaces UserPlaces::ofUser() {
    // Before Qt 6.7, QStandardPaths has no location for state.
    const QString given = qEnvironmentVariable("XDG_STATE_HOME");
    const QString state = QDir::isAbsolutePath(given) ? given : QDir::homePath() + QStringLiteral("/.local/state");
    return {
        QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + QStringLiteral("/weir/session.ini"),
        state + QStringLiteral("/weir/recovery"),
        QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/weir/open")};
}

void Memory::use(const QString& file) { m_settings = std::make_unique<QSettings>(file, QSettings::IniFormat); }

QVariant Memory::value(const QString& key, const QVariant& fallback) const {
    return m_settings ? m_settings->value(key, fallback) : m_values.value(key, fallback);
}

void Memory::setValue(const QString& key, const QVariant& value) {
    if (m_settings) m_settings->setValue(key, value);
    else m_values.insert(key, value);
}

} // namespace weir::editor
