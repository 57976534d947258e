#pragma once

#include "features/design/filter_design.h"
#include "features/plots/plot_item.h"

#include <QPointer>

namespace weir::editor {

/// Return the plot of magnitude over frequency. Mark the cutoffs and transitions of a design. If the stored taps
/// differ, show their response, too.
Drawing responsePlot(const std::optional<DesignAnswer>& answer, QSizeF size, const PlotStyle& style,
                     const PlotOptions& options);

class ResponsePlot : public weir::editor::PlotItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(weir::editor::FilterDesign* design READ design WRITE setDesign NOTIFY designChanged)

  public:
    using PlotItem::PlotItem;
    FilterDesign* design() const { return m_design; }
    void setDesign(FilterDesign* design);

  signals:
    void designChanged();

  protected:
    Drawing draw(QSizeF size, const PlotStyle& style, const PlotOptions& options) const override;

  private:
    QPointer<FilterDesign> m_design;
};

}  // namespace weir::editor
