#pragma once

#include "window_fixture.h"

#include "core/edits/project_edits.h"
#include "core/json/canonical_json.h"

#include <QSaveFile>
#include <QTemporaryDir>

namespace weir::editor {

/// Temporary folder for projects and for the editor's own files, so that tests never touch the user's.
class FilesFixture {
  public:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    UserPlaces places() const {
        return {path(QStringLiteral("config/editor.ini")), path(QStringLiteral("state/recovery")),
                path(QStringLiteral("cache/open"))};
    }
    QStringList kept() const {
        return QDir(places().recoveryFolder).entryList({QStringLiteral("*") + kRecoverySuffix}, QDir::Files);
    }

    QString project(const QString& name = QStringLiteral("p.weir.json")) const {
        write(path(name), readAll(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        return path(name);
    }

    static void write(const QString& path, const QByteArray& bytes) {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            throw std::runtime_error("cannot write " + path.toStdString());
    }

    /// Saves like most editors: a new file replaces the old one.
    static void writeByRename(const QString& path, const QByteArray& bytes) {
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
            throw std::runtime_error("cannot write " + path.toStdString());
    }

    static void setItems(Document& document, int items) {
        document.edit(QStringLiteral("Set items"), [items](Transaction& t) { t.set(Pointer("/run/items"), items); });
    }

    static int items(const Document& document) {
        const Json* value = find(document.json(), Pointer("/run/items"));
        return value ? value->get<int>() : -1;
    }

    static QByteArray withItems(const QByteArray& project, int items) {
        Json json = jsonOf(project);
        json["run"]["items"] = items;
        return QByteArray::fromStdString(canonicalText(json));
    }

  private:
    QTemporaryDir m_folder;
};

} // namespace weir::editor
