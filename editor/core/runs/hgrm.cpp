#include "core/runs/hgrm.h"

#include <QCoreApplication>
#include <QList>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

QString wrong(int line, const char* what) {
    return QCoreApplication::translate("Hgrm", "line %1 of the percentiles %2").arg(line).arg(QLatin1String(what));
}

constexpr double kLeastBeyond = 10;

} // namespace

double Hgrm::known() const { return total >= neededFor(0.5) ? 1 - kLeastBeyond / total : 0; }

double Hgrm::valueAt(double percentile) const {
    // Each line gives the value that its share of the samples does not exceed: take the first line with at least this
    // share.
    const auto it = std::lower_bound(points.begin(), points.end(), percentile,
                                     [](const HgrmPoint& point, double wanted) { return point.percentile < wanted; });
    return points.empty() ? 0 : it == points.end() ? points.back().value : it->value;
}

double Hgrm::countAt(double value) const {
    if (points.empty() || value < points.front().value) return 0;
    const auto above = std::upper_bound(points.begin(), points.end(), value,
                                        [](double wanted, const HgrmPoint& point) { return wanted < point.value; });
    const HgrmPoint& below = *std::prev(above);
    if (above == points.end() || above->value <= below.value) return below.count;
    const double part = std::log(value / below.value) / std::log(above->value / below.value);
    // One of a line's samples has its value; the positions of the others are unknown.
    return std::isfinite(part) ? below.count + part * std::max(0.0, above->count - below.count - 1) : below.count;
}

int neededFor(double percentile) {
    return static_cast<int>(std::lround(kLeastBeyond / std::min(percentile, 1 - percentile)));
}

std::variant<Hgrm, QString> readHgrm(const QByteArray& text) {
    Hgrm hgrm;
    int number = 0;
    for (const QByteArray& line : text.split('\n')) {
        ++number;
        const QByteArray simple = line.simplified();
        if (number == 1 || simple.isEmpty() || simple.startsWith('#')) continue;
        const QList<QByteArray> fields = simple.split(' ');
        if (fields.size() < 3) return wrong(number, "has too few columns");
        HgrmPoint point;
        bool ok[3];
        point.value = fields[0].toDouble(&ok[0]);
        point.percentile = fields[1].toDouble(&ok[1]);
        point.count = fields[2].toDouble(&ok[2]);
        if (!ok[0] || !ok[1] || !ok[2] || !std::isfinite(point.value) || point.value < 0 ||
            !std::isfinite(point.count) || point.count < 0 || !(point.percentile >= 0 && point.percentile <= 1))
            return wrong(number, "has no numbers");
        if (!hgrm.points.empty()) {
            const HgrmPoint& last = hgrm.points.back();
            if (point.value < last.value || point.percentile < last.percentile || point.count < last.count)
                return wrong(number, "is smaller than the one before");
        }
        hgrm.points.push_back(point);
    }
    if (!hgrm.points.empty()) hgrm.total = hgrm.points.back().count;
    return hgrm;
}

}  // namespace weir::editor
