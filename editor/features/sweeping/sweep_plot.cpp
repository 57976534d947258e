#include "features/sweeping/sweep_plot.h"

namespace weir::editor {

SweepPlot::SweepPlot(QQuickItem* parent) : PlotItem(parent) { setAcceptedMouseButtons(Qt::LeftButton); }

void SweepPlot::setRunner(SweepRunner* runner) {
    if (m_runner == runner) return;
    if (m_runner) m_runner->disconnect(this);
    m_runner = runner;
    if (runner) {
        connect(runner, &SweepRunner::measured, this, &PlotItem::changed);
        connect(runner, &SweepRunner::chosenChanged, this, &PlotItem::changed);
    }
    emit runnerChanged();
    emit changed();
}

Drawing SweepPlot::draw(QSizeF size, const PlotStyle& style, const PlotOptions& options) const {
    return sweepPlot(m_runner ? m_runner->picture() : SweepPicture(), size, style, options);
}

void SweepPlot::mousePressEvent(QMouseEvent* event) {
    forceActiveFocus(Qt::MouseFocusReason);
    if (m_runner)
        m_runner->choose(pointAt(m_runner->picture(), size(), plotStyle(), isLogarithmic(), event->position()));
}

void SweepPlot::keyPressEvent(QKeyEvent* event) {
    if (!m_runner) return PlotItem::keyPressEvent(event);
    const SweepPicture& picture = m_runner->picture();
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right: return m_runner->choose(pointBeside(picture, event->key() == Qt::Key_Left ? -1 : 1, 0));
        case Qt::Key_Up:
        case Qt::Key_Down: return m_runner->choose(pointBeside(picture, 0, event->key() == Qt::Key_Up ? -1 : 1));
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_runner->chosen() >= 0) return emit runsWanted();
            break;
        default: break;
    }
    PlotItem::keyPressEvent(event);
}

} // namespace weir::editor
