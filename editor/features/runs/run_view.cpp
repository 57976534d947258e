#include "features/runs/run_view.h"

#include "core/text/ticks.h"
#include "core/text/value_text.h"
#include "features/runs/result_tables.h"
#include "features/runs/run_finding.h"
#include "features/runs/run_library.h"

#include <QDir>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

/// Return why a distribution has no percentile, if it has too few latencies for it.
QString lackingIn(const Json& latency, const char* key) {
    return std::isnan(numberOf(latency, key)) ? lackingFor(percentileOf(QLatin1String(key)), numberOf(latency, "count"))
                                              : QString();
}

} // namespace

RunView::RunView(RunLibrary& library, QObject* parent) : QObject(parent), m_library(library) {
    connect(&library.list(), &RunListModel::dataChanged, this, &RunView::noteChanged);
    connect(&library, &RunLibrary::listed, this, &RunView::changed);
    connect(&library, &RunLibrary::listed, this, &RunView::noteChanged);
}

void RunView::show(const QString& path) {
    m_record = path.isEmpty() ? RunRecord{} : readRun(path);
    m_curves.set(m_record.curves);
    const Json& results = m_record.results;
    fillLatencyTable(m_latency, results);
    fillBlockTable(m_blocks, results);
    fillThreadTable(m_threads, results);
    fillEdgeTable(m_edges, results);
    fillHopTable(m_hops, results);
    fillEnvironmentTable(m_environment, results);
    fillLateTable(m_late, results);
    fillGrantedTable(m_granted, results);
    fillMachineTable(m_machine, m_record.run, results);
    m_facts.setRows(readFacts());
    emit changed();
    emit noteChanged();
}

QString RunView::field(const char* key) const { return string(m_record.results, key); }

QString RunView::runId() const { return isShown() ? QDir(m_record.path).dirName() : QString(); }

QString RunView::deployment() const { return m_record.isReadable() ? field("deployment") : runId(); }

QString RunView::title() const {
    const RunRow* run = m_record.isReadable() ? m_library.list().run(m_record.path) : nullptr;
    return run ? run->label : deployment();
}

QString RunView::moment() const { return m_record.isReadable() ? m_library.list().moment(m_record.path) : QString(); }

QStringList RunView::reasons() const {
    return m_record.isReadable() ? reasonsOf(m_record.results) : QStringList{m_record.fault};
}

QString RunView::throughput() const {
    return throughputText(numberOf(m_record.results, "throughput_items_per_s")).section(u' ', 0, 0);
}

QString RunView::throughputUnit() const {
    return throughputText(numberOf(m_record.results, "throughput_items_per_s")).section(u' ', 1);
}

QString RunView::together() const { return isShown() ? togetherText(loadsOf(m_record.results)) : QString(); }

QString RunView::window() const {
    const double window = numberOf(m_record.results, "window_s"), whole = numberOf(m_record.results, "elapsed_s");
    if (std::isnan(window) || std::isnan(whole)) return {};
    return tr("Items that left the sources in the run's window: %1 of %2, from the last sink's warm-up to the first "
              "sink's "
              "end. Rates of blocks and wires refer to the same window.")
        .arg(siText(window, QStringLiteral("s")), siText(whole, QStringLiteral("s")));
}

QString RunView::spread() const {
    std::vector<double> values;
    const QList<RunRow> repetitions = m_library.list().repetitions(m_record.path);
    for (const RunRow& run : repetitions)
        if (run.isOk() && !std::isnan(run.throughput)) values.push_back(run.throughput);
    if (repetitions.size() < 2) return tr("One run: the spread is unknown.");
    if (values.size() < 2)
        return tr("%1 of %n repetition(s) is valid", nullptr, static_cast<int>(repetitions.size())).arg(values.size());
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const int valid = static_cast<int>(values.size()), leftOut = static_cast<int>(repetitions.size()) - valid;
    const QString text = tr("in the list: median of %n repetition(s) %1, from %2 to %3", nullptr, valid)
                             .arg(throughputText(medianOf(values)), throughputText(*least), throughputText(*most));
    return leftOut == 0 ? text : text + QStringLiteral("; ") + tr("%n not valid and left out", nullptr, leftOut);
}

Facts RunView::readFacts() const {
    const Json& results = m_record.results;
    const Json& latency = object(member(results, "latency"));
    Facts found;
    const auto add = [&](const QString& name, const QString& value, const QString& hint = {}) {
        found.push_back({name, value, {}, hint});
    };
    const auto seconds = [](double value) {
        return std::isnan(value) ? QStringLiteral("—") : siText(value, QStringLiteral("s"));
    };
    const auto percentile = [&](const QString& name, const char* key) {
        const double time = numberOf(latency, key);
        const QString lacking = lackingIn(latency, key);
        add(name, lacking.isEmpty() ? seconds(time * 1e-9) : QStringLiteral("— ") + tooFewWords(), lacking);
    };
    percentile(tr("Latency p50"), "p50_ns");
    percentile(tr("p99"), "p99_ns");
    add(tr("Max"), seconds(numberOf(latency, "max_ns") * 1e-9));
    if (const QString failures = failuresText(results); !failures.isEmpty())
        add(tr("Response failures"), failures, failuresHint(results));
    add(tr("Window"), seconds(numberOf(results, "window_s")),
        shortWindow().isEmpty() ? window() : window() + u' ' + shortWindow());
    add(tr("Scheduler"), field("scheduler"));
    const Json& load = object(member(results, "load"));
    if (const double offered = numberOf(load, "offered_items_per_s"); !std::isnan(offered)) {
        const double delivered = numberOf(load, "delivered_items_per_s");
        const Json* keptUp = member(load, "kept_up");
        const QString verdict = !keptUp || !keptUp->is_boolean() ? QString()
                                : keptUp->get<bool>()            ? QStringLiteral(" ✓")
                                                                 : QStringLiteral(" ✕");
        add(tr("Offered"), throughputText(offered));
        add(tr("Delivered"), throughputText(delivered) + verdict);
    }
    const QString verification = verificationOf(results);
    add(tr("Verified"), verification.isEmpty() && m_record.isReadable() ? tr("no") : verification,
        tr("Before the first run of a program, a short separate run checks the items that every sink receives. Its "
           "number of items does not affect the measurement."));
    return found;
}

QString RunView::finding() const { return isShown() ? findingOf(loadsOf(m_record.results)) : QString(); }

bool RunView::isTooShort() const {
    return !shortWindow().isEmpty() || !lackingIn(object(member(m_record.results, "latency")), "p99_ns").isEmpty();
}

QString RunView::note() const {
    const RunRow* run = m_library.list().run(m_record.path);
    return run ? run->note : QString();
}

QString RunView::differs() const {
    return m_record.isReadable() && isShown() ? m_library.list().differs(m_record.path) : QString();
}

} // namespace weir::editor
