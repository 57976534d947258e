#pragma once

#include <QFontMetricsF>
#include <QStringList>

namespace weir::editor {

/// A name in at most `most` lines of `width`, parted behind low lines; empty where it does not fit whole.
QStringList nameLines(const QString& name, const QFontMetricsF& metrics, qreal width, int most);

} // namespace weir::editor
