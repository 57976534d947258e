#include "features/canvas/name_lines.h"

#include <algorithm>

namespace weir::editor {
namespace {

QStringList filled(const QString& name, const QFontMetricsF& metrics, qreal width, int most) {
    QStringList lines;
    qsizetype from = 0;
    while (from < name.size()) {
        qsizetype to = name.size();
        while (to > from && metrics.horizontalAdvance(name.mid(from, to - from)) > width)
            to = to - from > 1 ? std::max(name.lastIndexOf(u'_', to - 2), name.lastIndexOf(u' ', to - 2)) + 1 : from;
        if (to <= from || lines.size() == most) return {};
        lines.append(name.mid(from, to - from));
        from = to;
    }
    return lines;
}

} // namespace

QStringList nameLines(const QString& name, const QFontMetricsF& metrics, qreal width, int most) {
    constexpr int kStub = 2;
    const QStringList lines = filled(name, metrics, width, most);
    if (lines.size() < 2 || lines.last().size() > kStub) return lines;
    // Prefer `source_ / x_0` to `source_x_ / 0`.
    for (const qreal part : {0.85, 0.7, 0.55})
        if (const QStringList even = filled(name, metrics, width * part, most);
            even.size() == lines.size() && even.last().size() > kStub)
            return even;
    return lines;
}

} // namespace weir::editor
