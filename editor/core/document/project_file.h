#pragma once

#include "core/json/json.h"

#include <QByteArray>
#include <QString>

#include <variant>

namespace weir::editor {

/// Stamp that tells one state of a file from another. Stamps of equal bytes are equal whatever the file system says.
struct FileStamp {
    bool exists = false;
    QByteArray hash; ///< SHA-256 of the bytes, hexadecimal; empty where there is no file, or it cannot be read

    bool operator==(const FileStamp&) const = default;

    static FileStamp ofBytes(const QByteArray& bytes);
    static FileStamp ofFile(const QString& path);
};

struct ProjectFile {
    Json json;
    FileStamp stamp;
};

/// A whole project file, or why it cannot be opened.
std::variant<ProjectFile, QString> readProject(const QString& path);

/// The name of a project's file without its endings.
QString projectStem(const QString& path);
/// Return a name for a project, made from its file; empty if the file name has no letter that a name may have.
QString projectNameOf(const QString& path);

/// Atomic: an old file stays whole until the new one is complete, and nothing is left behind when it fails.
/// Returns why it failed, or an empty string.
QString writeWhole(const QString& path, const QByteArray& bytes);

} // namespace weir::editor
