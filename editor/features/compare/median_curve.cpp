#include "features/plots/plots.h"

#include <algorithm>

namespace weir::editor {

Curve medianCurve(const QString& name, const std::vector<Curve>& curves, int colour) {
    Curve median{name, {}, colour, false};
    const Curve* shortest = nullptr;
    for (const Curve& curve : curves)
        if (!curve.distribution.isEmpty() && (!shortest || curve.distribution.total < shortest->distribution.total))
            shortest = &curve;
    if (!shortest) return median;
    median.distribution.total = shortest->distribution.total;
    for (const HgrmPoint& point : shortest->distribution.points) {
        std::vector<double> values;
        for (const Curve& curve : curves)
            if (!curve.distribution.isEmpty()) values.push_back(curve.distribution.valueAt(point.percentile));
        std::sort(values.begin(), values.end());
        const std::size_t half = values.size() / 2;
        const double middle = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
        median.distribution.points.push_back({point.percentile, middle, point.percentile * median.distribution.total});
    }
    return median;
}

} // namespace weir::editor
