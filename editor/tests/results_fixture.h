#pragma once

#include "core/json/json_reader.h"

#include <QDir>
#include <QString>

namespace weir::editor {

/// Folder of the recorded runs, complete with all files.
inline const QString kMeasured = QStringLiteral(WEIR_TEST_RUNS);

inline Json parse(const QByteArray& text) {
    const auto parsed = readJson(text.toStdString());
    return std::holds_alternative<Json>(parsed) ? std::get<Json>(parsed) : Json();
}

inline QString runOf(const char* pattern) {
    const QStringList found = QDir(kMeasured).entryList({QLatin1String(pattern)}, QDir::Dirs, QDir::Name);
    return found.isEmpty() ? QString() : kMeasured + u'/' + found.first();
}

} // namespace weir::editor
