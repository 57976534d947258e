#include "core/document/project_file.h"

#include "core/document/spelling.h"
#include "core/json/json_reader.h"
#include "core/text/texts.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>

#include <unistd.h>

namespace weir::editor {

FileStamp FileStamp::ofBytes(const QByteArray& bytes) {
    return {true, QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex()};
}

FileStamp FileStamp::ofFile(const QString& path) {
    const QFileInfo info(path);
    if (!info.exists()) return {};
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    // Only regular files: reading a pipe or a terminal would block.
    if (!info.isFile() || !file.open(QIODevice::ReadOnly) || !hash.addData(&file)) return {true, {}};
    return {true, hash.result().toHex()};
}

std::variant<ProjectFile, QString> readProject(const QString& path) {
    const QFileInfo info(path);
    if (info.exists() && !info.isFile()) return ProjectText::tr("%1 cannot be read: it is not a file").arg(path);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return ProjectText::tr("%1 cannot be read: %2").arg(path, file.errorString());
    const QByteArray bytes = file.read(static_cast<qint64>(kMaximumBytes) + 1);
    if (file.error() != QFileDevice::NoError)
        return ProjectText::tr("%1 cannot be read: %2").arg(path, file.errorString());

    auto result = readJson({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    if (const auto* error = std::get_if<ReadError>(&result)) {
        const QString name = info.fileName(), why = QString::fromStdString(error->message);
        return error->line ? ProjectText::tr("%1 was not opened: line %2, column %3: %4")
                                 .arg(name)
                                 .arg(error->line)
                                 .arg(error->column)
                                 .arg(why)
                           : ProjectText::tr("%1 was not opened: %2").arg(name, why);
    }
    Json& json = std::get<Json>(result);
    if (!json.is_object()) return ProjectText::tr("%1 was not opened: it is not a JSON object").arg(info.fileName());
    usePresentSpelling(json);
    return ProjectFile{std::move(json), FileStamp::ofBytes(bytes)};
}

QString writeWhole(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    // Qt 6.4 commits a partial file if the disk is full; only an explicit flush reports the error. Renaming does not
    // ensure that the bytes are on the disk, either.
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush() &&
        ::fsync(file.handle()) == 0 && file.commit())
        return {};
    return file.errorString();
}

QString projectStem(const QString& path) {
    static const QRegularExpression ending(QStringLiteral("(\\.weir)?\\.json$"));
    return QFileInfo(path).fileName().remove(ending);
}

QString projectNameOf(const QString& path) {
    static const QRegularExpression strange(QStringLiteral("[^a-z0-9_-]")), letter(QStringLiteral("[a-z0-9]"));
    constexpr int kLongest = 64;
    const QString name = projectStem(path).toLower().replace(strange, QStringLiteral("_")).left(kLongest);
    return name.contains(letter) ? name : QString();
}

}  // namespace weir::editor
