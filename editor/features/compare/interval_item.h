#pragma once

#include "features/compare/run_comparison.h"
#include "features/plots/plot_item.h"

#include <QtQml/qqmlregistration.h>
#include <QPointer>

/// The differences of a comparison, each with its interval.
class IntervalPlot : public PlotItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(RunComparison* comparison READ comparison WRITE setComparison NOTIFY comparisonChanged)

  public:
    using PlotItem::PlotItem;
    RunComparison* comparison() const { return m_comparison; }
    void setComparison(RunComparison* comparison);

  signals:
    void comparisonChanged();

  protected:
    weir::editor::Drawing draw(QSizeF size, const weir::editor::PlotStyle& style,
                               const weir::editor::PlotOptions& options) const override;

  private:
    QPointer<RunComparison> m_comparison;
};
