#pragma once

#include "core/catalog/catalog.h"
#include "core/json/json_reader.h"
#include "core/text/english.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QString>
#include <QStringList>

#include <stdexcept>

namespace weir::editor {

Q_COREAPP_STARTUP_FUNCTION(speakEnglish) // so that plurals read as in the program

inline QByteArray readAll(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) throw std::runtime_error("cannot read " + path.toStdString());
    return file.readAll();
}

inline QStringList filesIn(const QString& folder, const QString& pattern) {
    QStringList paths;
    for (const QString& name : QDir(folder).entryList({pattern}, QDir::Files, QDir::Name))
        paths.append(folder + u'/' + name);
    return paths;
}

inline Json jsonOf(const QByteArray& text) {
    auto result = readJson(text.toStdString());
    if (auto* error = std::get_if<ReadError>(&result)) throw std::runtime_error(error->message);
    return std::get<Json>(std::move(result));
}

inline Catalog testCatalog() { return Catalog(jsonOf(readAll(QStringLiteral(WEIR_CATALOG)))); }

} // namespace weir::editor
