#pragma once

#include "core/json/json_reader.h"

#include <QDir>
#include <QString>

/// Runs that were measured once, with every file of their directories.
inline const QString kMeasured = QStringLiteral(WEIR_TEST_RUNS);

inline weir::editor::Json parse(const QByteArray& text) {
    const auto parsed = weir::editor::readJson(text.toStdString());
    return std::holds_alternative<weir::editor::Json>(parsed) ? std::get<weir::editor::Json>(parsed)
                                                              : weir::editor::Json();
}

inline QString runOf(const char* pattern) {
    const QStringList found = QDir(kMeasured).entryList({QLatin1String(pattern)}, QDir::Dirs, QDir::Name);
    return found.isEmpty() ? QString() : kMeasured + u'/' + found.first();
}
