#pragma once

#include "core/json/json.h"

#include <QByteArray>
#include <QString>

#include <variant>

namespace weir::editor {

/// Identifies the state of a file. Stamps of equal bytes are equal, whatever times the file system reports.
struct FileStamp {
    bool exists = false;
    QByteArray hash; ///< SHA-256 of the bytes, hexadecimal; empty if there is no file or it cannot be read

    bool operator==(const FileStamp&) const = default;

    static FileStamp ofBytes(const QByteArray& bytes);
    static FileStamp ofFile(const QString& path);
};

struct ProjectFile {
    Json json;
    FileStamp stamp;
};

/// Return a whole project file in the present spelling, or why it cannot be opened.
std::variant<ProjectFile, QString> readProject(const QString& path);

/// Return the name of a project's file without its endings.
QString projectStem(const QString& path);
/// Return a project name made from the file name; empty if that has no letter that a name may have.
QString projectNameOf(const QString& path);

/// Writes atomically: an old file stays whole until the new one is complete, and a failure leaves no temporary file.
/// Returns why it failed, or an empty string.
QString writeWhole(const QString& path, const QByteArray& bytes);

} // namespace weir::editor
