#include "core/sweeping/sweep_files.h"

#include "core/json/json_reader.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <vector>

namespace weir::editor {

Json jsonIn(const QString& path) {
    QFile file(path);
    if (file.size() > static_cast<qint64>(kMaximumBytes) || !file.open(QIODevice::ReadOnly)) return {};
    return jsonFrom(file.readAll());
}

QString newestSweep(const QString& place, const QString& sweep, const QString& project) {
    const QRegularExpression called(QStringLiteral("^%1(-(\\d+))?$").arg(QRegularExpression::escape(sweep)));
    std::vector<std::pair<int, QString>> folders;
    for (const QString& entry : QDir(place).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (const auto match = called.match(entry); match.hasMatch())
            folders.emplace_back(match.captured(2).toInt(), place + u'/' + entry);
    std::sort(folders.rbegin(), folders.rend());
    for (const auto& [number, folder] : folders) {
        const Json state = jsonIn(folder + QStringLiteral("/sweep.json"));
        if (string(state, "sweep") == sweep && string(state, "project") == project) return folder;
    }
    return {};
}

QString freeSweepFolder(const QString& place, const QString& sweep) {
    QString folder = place + u'/' + sweep;
    for (int number = 2; QFileInfo::exists(folder); ++number)
        folder = QStringLiteral("%1/%2-%3").arg(place, sweep).arg(number);
    return folder;
}

} // namespace weir::editor
