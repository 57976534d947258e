#pragma once

#include <QFontMetricsF>
#include <QStringList>

namespace weir::editor {

/// Break a name into at most `most` lines of `width`, after underscores and spaces; empty if it does not fit.
QStringList nameLines(const QString& name, const QFontMetricsF& metrics, qreal width, int most);

} // namespace weir::editor
