#pragma once

#include <QString>
#include <QStringList>

/// Paths as people type them.
namespace weir::editor::typed {

/// The absolute path that `text` means in a folder: absolute, relative, from `~` on, or a `file:` URL.
QString resolve(const QString& text, const QString& folder);

/// Typed folder, with its slash, and the rest: of `../ex` these are `../` and `ex`.
struct Parts {
    QString folder;
    QString name;
};
Parts split(const QString& text);

/// Return `text` extended as far as all matching names agree; a folder that is the only one gets its slash. Return
/// `text` itself if no name matches or nothing can be added. `suffixes`: of the files that count, none: all of them.
QString complete(const QString& text, const QString& folder, const QStringList& suffixes, bool hidden);

/// The suffixes of a filter such as `Pictures (*.svg *.png)`; none for `All files (*)`.
QStringList suffixesOf(const QString& filter);

}  // namespace weir::editor::typed
