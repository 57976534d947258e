#pragma once

#include <QString>
#include <QUrl>

/// The path of what a file dialog gave. Qt's own dialog, which stands in where the desktop has none, makes a URL without
/// a scheme of a name that was typed, and QUrl::toLocalFile() is empty for that.
inline QString localPath(const QUrl &file)
{
    if (!file.isRelative())
        return file.toLocalFile();
    QString path = file.path();
    if (file.hasQuery())
        path += QLatin1Char('?') + file.query(QUrl::FullyDecoded);
    if (file.hasFragment())
        path += QLatin1Char('#') + file.fragment(QUrl::FullyDecoded);
    return path;
}
