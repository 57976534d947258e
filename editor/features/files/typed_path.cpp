#include "features/files/typed_path.h"

#include <QDir>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>

namespace weir::editor::typed {
namespace {

bool isAmong(const QString& name, const QStringList& suffixes) {
    return suffixes.isEmpty() || std::any_of(suffixes.begin(), suffixes.end(), [&](const QString& suffix) {
               return name.endsWith(suffix, Qt::CaseInsensitive);
           });
}

/// Return the names in a folder with this prefix, folders with a slash. Other cases match only if no name has the exact
/// prefix.
QStringList candidates(const QString& folder, const QString& begin, const QStringList& suffixes, bool hidden) {
    QStringList exact, alike;
    QDir::Filters wanted = QDir::AllEntries | QDir::NoDotAndDotDot;
    if (hidden || begin.startsWith(u'.')) wanted |= QDir::Hidden;
    for (const QFileInfo& info : QDir(folder).entryInfoList(wanted, QDir::Name)) {
        const QString name = info.fileName();
        if (!name.startsWith(begin, Qt::CaseInsensitive) || !(info.isDir() || isAmong(name, suffixes))) continue;
        (name.startsWith(begin) ? exact : alike).append(info.isDir() ? name + u'/' : name);
    }
    return exact.isEmpty() ? alike : exact;
}

}  // namespace

QString resolve(const QString& text, const QString& folder) {
    QString path = text;
    if (path.startsWith(QLatin1String("file:"))) path = QUrl(path).toLocalFile();
    if (path == u'~' || path.startsWith(QLatin1String("~/"))) path = QDir::homePath() + path.mid(1);
    return QDir::cleanPath(QDir(folder).absoluteFilePath(path));
}

Parts split(const QString& text) {
    if (text == u'~' || text == QLatin1String("..") || text.endsWith(QLatin1String("/.."))) return {text + u'/', {}};
    const auto slash = text.lastIndexOf(u'/');
    return {text.left(slash + 1), text.mid(slash + 1)};
}

QString complete(const QString& text, const QString& folder, const QStringList& suffixes, bool hidden) {
    const Parts parts = split(text);
    const QString there = parts.folder.isEmpty() ? folder : resolve(parts.folder, folder);
    const QStringList names = candidates(there, parts.name, suffixes, hidden);
    if (names.isEmpty()) return text;
    QString common = names.first();
    for (const QString& name : names)
        while (!name.startsWith(common, Qt::CaseInsensitive)) common.chop(1);
    return parts.folder + common;
}

QStringList suffixesOf(const QString& filter) {
    static const QRegularExpression pattern(QStringLiteral("\\*(\\.[^\\s)]+)"));
    QStringList suffixes;
    for (auto match = pattern.globalMatch(filter); match.hasNext();) suffixes.append(match.next().captured(1));
    return suffixes;
}

}  // namespace weir::editor::typed
