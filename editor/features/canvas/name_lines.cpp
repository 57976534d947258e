#include "name_lines.h"

QStringList nameLines(const QString &name, const QFontMetricsF &metrics, qreal width, int most)
{
    QStringList lines;
    qsizetype from = 0;
    while (from < name.size()) {
        qsizetype to = name.size();
        while (to > from && metrics.horizontalAdvance(name.mid(from, to - from)) > width)
            to = to - from > 1 ? name.lastIndexOf(u'_', to - 2) + 1 : from;
        if (to <= from || lines.size() == most)
            return {};
        lines.append(name.mid(from, to - from));
        from = to;
    }
    return lines;
}
