#pragma once

#include "features/plots/plot_item.h"
#include "features/sweeping/sweep_runner.h"

#include <QPointer>

/// The figure of a sweep: a click or the arrow keys choose a point.
class SweepPlot : public PlotItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(SweepRunner* runner READ runner WRITE setRunner NOTIFY runnerChanged)

  public:
    explicit SweepPlot(QQuickItem* parent = nullptr);

    SweepRunner* runner() const { return m_runner; }
    void setRunner(SweepRunner* runner);

  signals:
    void runnerChanged();
    /// The keys ask for the runs behind the chosen point.
    void runsWanted();

  protected:
    weir::editor::Drawing draw(QSizeF size, const weir::editor::PlotStyle& style,
                               const weir::editor::PlotOptions& options) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QPointer<SweepRunner> m_runner;
};
