#pragma once

#include "features/plots/plot_item.h"
#include "features/sweeping/sweep_runner.h"

#include <QPointer>

namespace weir::editor {

/// Figure of a sweep: a click or the arrow keys choose a point.
class SweepPlot : public weir::editor::PlotItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(weir::editor::SweepRunner* runner READ runner WRITE setRunner NOTIFY runnerChanged)

  public:
    explicit SweepPlot(QQuickItem* parent = nullptr);

    SweepRunner* runner() const { return m_runner; }
    void setRunner(SweepRunner* runner);

  signals:
    void runnerChanged();
    /// Emitted when a key requests the runs behind the chosen point.
    void runsWanted();

  protected:
    Drawing draw(QSizeF size, const PlotStyle& style, const PlotOptions& options) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QPointer<SweepRunner> m_runner;
};

} // namespace weir::editor
