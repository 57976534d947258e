#include "features/compare/interval_item.h"

namespace weir::editor {

void IntervalPlot::setComparison(RunComparison* comparison) {
    if (m_comparison == comparison) return;
    m_comparison = comparison;
    if (comparison) connect(comparison, &RunComparison::answered, this, &PlotItem::changed);
    emit comparisonChanged();
    emit changed();
}

Drawing IntervalPlot::draw(QSizeF size, const PlotStyle& style, const PlotOptions&) const {
    static const ComparisonView kNothing;
    const ComparisonView& view = m_comparison ? m_comparison->view() : kNothing;
    return intervalPlot(view.intervals, view.threshold, size, style, m_comparison && m_comparison->isWorking());
}

} // namespace weir::editor
