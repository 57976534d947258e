#pragma once

#include <QString>
#include <QStringList>

/// Paths as users type them.
namespace weir::editor::typed {

/// Return the absolute path of `text` in a folder. It is absolute, relative, begins with `~`, or is a `file:` URL.
QString resolve(const QString& text, const QString& folder);

/// Typed folder with its slash, and the rest: `../ex` has `../` and `ex`.
struct Parts {
    QString folder;
    QString name;
};
Parts split(const QString& text);

/// Return `text` extended as far as all matching names agree; a folder that is the only match gets a slash. Return
/// `text` itself if no name matches or nothing can be added. `suffixes`: of the accepted files; none: all.
QString complete(const QString& text, const QString& folder, const QStringList& suffixes, bool hidden);

/// Return the suffixes of a filter such as `Pictures (*.svg *.png)`; none for `All files (*)`.
QStringList suffixesOf(const QString& filter);

}  // namespace weir::editor::typed
