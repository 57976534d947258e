#include "features/runs/table_cells.h"

#include "core/runs/run_record.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {

TableCell wordCell(const QString& text) { return {text}; }

TableCell numberCell(double value, double factor) {
    return std::isnan(value) ? TableCell{kNotMeasured} : TableCell{measuredText(value / factor), value};
}

TableCell countCell(double value) {
    return std::isnan(value) ? TableCell{kNotMeasured} : TableCell{tickText(value), value};
}

TableCell percentCell(double share) {
    return std::isnan(share) || share < 0 ? TableCell{kNotMeasured}
                                          : TableCell{QString::number(share * 100, 'f', 1), share};
}

Scale scaleFor(std::vector<double> values, const QString& unit, double si) {
    std::erase_if(values, [](double value) { return std::isnan(value) || value <= 0; });
    if (values.empty()) return {si > 0 ? 1 / si : 1, unit};
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    const Scale scale = siScale(values[values.size() / 2] * si, unit);
    return {scale.factor / si, scale.unit};
}

std::vector<double> columnOf(const Json& rows, const char* key) {
    std::vector<double> values;
    for (const Json& row : rows) values.push_back(numberOf(row, key));
    return values;
}

} // namespace weir::editor
