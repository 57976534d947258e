// Shown part of a sweep: its figure, the chosen point and its runs, and the settings of the point for the project.

#include "features/sweeping/sweep_runner.h"

#include "core/runs/run_row.h"
#include "core/sweeping/sweep_edits.h"
#include "core/sweeping/sweep_files.h"
#include "features/results/results.h"
#include "shell/session/session.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {

const SweepPoint* SweepRunner::point() const {
    const auto& points = m_picture.outline.points;
    return m_picture.chosen >= 0 && m_picture.chosen < static_cast<int>(points.size())
               ? &points[static_cast<std::size_t>(m_picture.chosen)]
               : nullptr;
}

void SweepRunner::listRuns() {
    std::vector<SweepRunRow> rows;
    if (const SweepPoint* of = point())
        for (const SweepRunFact& run : of->runs) {
            const auto place = static_cast<std::size_t>(m_picture.quantity);
            QStringList remarks;
            if (run.disturbed) remarks.append(tr("other programs disturbed its round"));
            QStringList codes = run.reasons.split(u' ', Qt::SkipEmptyParts);
            codes.removeIf(
                [](const QString& code) { return code.startsWith(QLatin1String("N_")); }); // notes are not warnings
            if (!codes.isEmpty()) remarks.append(codes.join(QStringLiteral(", ")));
            const QString value =
                place < run.values.size() ? quantityText(m_picture.of(), run.values[place]) : QString();
            rows.push_back({m_folder + u'/' + run.directory, tr("round %1").arg(run.repetition + 1), value, run.status,
                            remarks.join(QStringLiteral(" · "))});
        }
    m_runs.setRows(std::move(rows));
}

void SweepRunner::choose(int chosen) {
    if (m_picture.chosen == chosen) return;
    m_picture.chosen = chosen;
    listRuns();
    emit chosenChanged();
}

void SweepRunner::chooseBest() {
    const int best = bestPoint(m_picture.outline, m_picture.quantity);
    if (best < 0) return;
    const SweepOutline& outline = m_picture.outline;
    const QString where = labelOf(outline, outline.points[static_cast<std::size_t>(best)], outline.figures);
    setFigure(std::max(0, static_cast<int>(figures().indexOf(where))));
    choose(best);
}

QString SweepRunner::chosenName() const { return point() ? point()->name : QString(); }

QString SweepRunner::chosenText() const {
    const auto place = static_cast<std::size_t>(m_picture.quantity);
    if (!point() || place >= point()->all.size()) return {};
    const auto words = [this](const SweepEstimate& estimate) {
        const SweepQuantity& of = m_picture.of();
        const QString value = quantityText(of, estimate.value);
        return !estimate.interval ? value
                                  : tr("%1 (%2 to %3)")
                                        .arg(value, quantityText(of, estimate.interval->first),
                                             quantityText(of, estimate.interval->second));
    };
    const QString all = words(point()->all[place]);
    return m_picture.outline.roundsDisturbed == 0
               ? all
               : tr("%1 · without disturbed rounds %2").arg(all, words(point()->undisturbed[place]));
}

QStringList SweepRunner::quantities() const {
    QStringList words;
    for (const SweepQuantity& quantity : m_picture.outline.quantities) words.append(quantity.words);
    return words;
}

void SweepRunner::setQuantity(int quantity) {
    if (quantity < 0 || quantity >= static_cast<int>(m_picture.outline.quantities.size())) return;
    m_picture.quantity = quantity;
    listRuns();
    emit measured();
}

void SweepRunner::setFigure(int figure) {
    m_picture.figure = figure;
    emit measured();
}

QString SweepRunner::figureTitle() const {
    if (m_picture.isEmpty()) return tr("Figure");
    const SweepOutline& outline = m_picture.outline;
    QString words = m_picture.of().words;
    words.replace(0, 1, words.left(1).toUpper());
    return outline.x < 0 ? words
                         : tr("%1 over %2").arg(words, outline.axes[static_cast<std::size_t>(outline.x)].name());
}

QString SweepRunner::explanation() const {
    constexpr int kLeastRounds = 8;
    if (m_picture.isEmpty()) return {};
    const QString marks = m_picture.outline.roundsMeasured >= kLeastRounds
                              ? tr("Bars: 95 % interval of the pseudomedian over the rounds.")
                              : tr("Pale dots: single rounds, too few for an interval.");
    return marks + u' ' + tr("Click a point or use the arrow keys to list its runs.");
}

QString SweepRunner::differs() const {
    return m_hasOutline && m_session.isChecked() ? otherParts(m_picture.outline.essence, m_session.essence(), {})
                                                 : QString();
}

QString SweepRunner::usableRun() const {
    if (const SweepPoint* of = point())
        for (const SweepRunFact& run : of->runs)
            if (run.status == QLatin1String("ok")) return m_folder + u'/' + run.directory;
    return {};
}

void SweepRunner::open(int run) {
    if (run < 0 || run >= m_runs.rowCount()) return;
    m_results.library()->include(m_folder);
    m_results.show(m_runs.rows()[static_cast<std::size_t>(run)].path);
    m_session.setView(QStringLiteral("results"));
}

void SweepRunner::use() {
    const QString run = usableRun();
    const Json measured = run.isEmpty() ? Json() : jsonIn(run + QStringLiteral("/project.json"));
    if (!measured.is_object())
        return run.isEmpty() ? void() : m_session.setNotice(tr("%1/project.json cannot be read").arg(run));
    const std::vector<std::string> axes = axesIn(jsonIn(m_folder + QStringLiteral("/sweep.json")));
    const int revision = m_session.document().revision();
    QString deployment;
    if (!m_session.edit(tr("Use the settings of %1").arg(chosenName()), [&](Transaction& t) {
            deployment = QString::fromStdString(useSettings(t, measured, axes, point()->deployment.toStdString()));
        }))
        return;
    if (const auto index = m_session.deployments().indexOf(deployment); index >= 0)
        m_session.setDeploymentIndex(static_cast<int>(index));
    const bool isAsBefore = revision == m_session.document().revision();
    m_session.setNotice(
        isAsBefore ? tr("The project already has these settings, in deployment %1").arg(deployment)
                   : tr("The project now has the settings of %1, in deployment %2").arg(chosenName(), deployment),
        true);
}

} // namespace weir::editor
