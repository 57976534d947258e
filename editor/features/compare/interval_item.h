#pragma once

#include "features/compare/run_comparison.h"
#include "features/plots/plot_item.h"

#include <QtQml/qqmlregistration.h>
#include <QPointer>

namespace weir::editor {

/// Plot of the differences of a comparison, each with its interval.
class IntervalPlot : public weir::editor::PlotItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(weir::editor::RunComparison* comparison READ comparison WRITE setComparison NOTIFY comparisonChanged)

  public:
    using PlotItem::PlotItem;
    RunComparison* comparison() const { return m_comparison; }
    void setComparison(RunComparison* comparison);

  signals:
    void comparisonChanged();

  protected:
    Drawing draw(QSizeF size, const PlotStyle& style, const PlotOptions& options) const override;

  private:
    QPointer<RunComparison> m_comparison;
};

} // namespace weir::editor
