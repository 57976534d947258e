#include "core/runs/run_list.h"

#include "core/rows/row_model.h"
#include "core/runs/run_record.h"
#include "core/runs/run_row.h"
#include "core/text/texts.h"
#include "core/text/ticks.h"
#include "core/text/value_text.h"

#include <QHash>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

constexpr double kSame = 0.005; ///< differences that rounding hides

QString seconds(double value) { return std::isnan(value) ? kNotMeasured : siText(value, QStringLiteral("s")); }

QString percentText(double part) {
    return QStringLiteral("%1 %").arg(QString::number(std::abs(part) * 100, 'f', std::abs(part) < 0.1 ? 1 : 0));
}

} // namespace

RunListModel::RunListModel(QObject* parent) : QAbstractListModel(parent) {}

int RunListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant RunListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const RunRow& run = *runAt(index.row());
    switch (role) {
        case PathRole: return run.path;
        case Qt::DisplayRole:
        case RunIdRole: return run.id;
        case TimeRole: return run.when();
        case DeploymentRole: return run.isReadable() ? run.label : run.id;
        case SchedulerRole: return run.scheduler;
        case StatusRole: return run.status;
        case ReasonRole: return run.reason;
        case WarningsRole: return run.warnings;
        case ThroughputRole: return throughputText(run.throughput);
        case P50Role: return seconds(run.p50 * 1e-9);
        case P99Role: return run.lackingP99().isEmpty() ? seconds(run.p99 * 1e-9) : tooFewInShort();
        case LackingP99Role: return run.lackingP99();
        case DeltaRole: return change(index.row(), run.throughput).text;
        case ToneRole: return change(index.row(), run.throughput).tone;
        case BesideRole: return change(index.row(), run.throughput).beside;
        case NoteRole: return run.note;
        case SizeRole: return QLocale::c().formattedDataSize(static_cast<qint64>(run.bytes), 1);
        case RepetitionRole: return run.repetition;
        case ProfiledRole: return run.profiled;
        case UnverifiedRole: return run.unverified;
        case StaleRole: return isStale(run.path);
        case DiffersRole: return differs(run.path);
        case DiffersInShortRole: return differsInShort(run.path);
        default: return {};
    }
}

QHash<int, QByteArray> RunListModel::roleNames() const { return roleNamesOf<Role>(); }

void RunListModel::setRuns(const Json& answer, const QString& project) {
    beginResetModel();
    m_all.clear();
    for (const Json& entry : list(&answer)) {
        RunRow row = readRunRow(entry);
        if (row.path.isEmpty() || (row.isReadable() && !project.isEmpty() && row.project != project)) continue;
        m_all.push_back(std::move(row));
    }
    // Unreadable runs have no time but the one that their folder's name begins with.
    std::stable_sort(m_all.begin(), m_all.end(), [](const RunRow& a, const RunRow& b) {
        const auto name = [](const RunRow& run) { return run.id.mid(run.id.indexOf(QLatin1String("20"))); };
        return name(a) > name(b);
    });
    QHash<std::pair<QString, bool>, int> last;
    m_previous.assign(m_all.size(), -1);
    for (int index = total() - 1; index >= 0; --index) {
        const RunRow& run = m_all[static_cast<std::size_t>(index)];
        m_previous[static_cast<std::size_t>(index)] = last.value({run.point, run.profiled}, -1);
        if (run.isOk() && !std::isnan(run.throughput)) last.insert({run.point, run.profiled}, index);
    }
    applyFilter();
    endResetModel();
    emit countChanged();
}

void RunListModel::setFilter(const QString& filter) {
    if (m_filter == filter) return;
    beginResetModel();
    m_filter = filter;
    applyFilter();
    endResetModel();
    emit countChanged();
}

void RunListModel::applyFilter() {
    m_rows.clear();
    for (int index = 0; index < total(); ++index)
        if (matches(m_all[static_cast<std::size_t>(index)])) m_rows.push_back(index);
}

bool RunListModel::matches(const RunRow& run) const {
    const QStringList said{run.id,     run.deployment, run.label,  run.scheduler,
                           run.status, run.note,       run.reason, run.profiled ? tr("profiled") : QString()};
    const QString text = (said + run.warnings).join(u' ');
    const auto isIn = [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); };
    const QStringList words = m_filter.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(), isIn);
}

void RunListModel::notify(const QList<int>& roles) {
    if (!m_rows.empty()) emit dataChanged(index(0), index(rowCount() - 1), roles);
}

void RunListModel::setEssence(const QString& essence) {
    if (m_essence == essence) return;
    m_essence = essence;
    notify({StaleRole, DiffersRole, DiffersInShortRole});
}

QString RunListModel::differs(const QString& path) const {
    const RunRow* row = run(path);
    const bool known = row && row->isReadable() && !row->essence.isEmpty() && !m_essence.isEmpty();
    return known ? otherParts(row->essence, m_essence, row->deployment) : QString();
}

QString RunListModel::differsInShort(const QString& path) const {
    return isStale(path) ? otherPartsInShort(run(path)->essence, m_essence) : QString();
}

QString RunListModel::moment(const QString& path) const {
    const RunRow* row = run(path);
    if (!row) return {};
    const QList<RunRow> all = repetitions(path);
    const auto place = std::find_if(all.begin(), all.end(), [&](const RunRow& one) { return one.path == path; });
    return all.size() < 2 ? row->when()
                          : tr("%1 · run %2 of %3").arg(row->when()).arg(place - all.begin() + 1).arg(all.size());
}

void RunListModel::setBaseline(const QString& path) {
    if (m_baseline == path) return;
    m_baseline = path;
    notify({DeltaRole, ToneRole, BesideRole});
}

void RunListModel::setNote(const QString& path, const QString& note) {
    for (RunRow& run : m_all)
        if (run.path == path) run.note = note;
    notify({NoteRole});
}

void RunListModel::remove(const QString& path) {
    const int row = rowOf(path);
    const auto place = std::find_if(m_all.begin(), m_all.end(), [&](const RunRow& run) { return run.path == path; });
    if (place == m_all.end()) return;
    const int gone = static_cast<int>(place - m_all.begin());
    if (row >= 0) beginRemoveRows({}, row, row);
    m_all.erase(place);
    m_previous.erase(m_previous.begin() + gone);
    for (int& previous : m_previous) previous = previous == gone ? -1 : previous > gone ? previous - 1 : previous;
    applyFilter();
    if (row >= 0) endRemoveRows();
    emit countChanged();
}

const RunRow* RunListModel::run(const QString& path) const {
    const auto place = std::find_if(m_all.begin(), m_all.end(), [&](const RunRow& run) { return run.path == path; });
    return place == m_all.end() ? nullptr : &*place;
}

const RunRow* RunListModel::runAt(int row) const {
    return row < 0 || row >= rowCount() ? nullptr
                                        : &m_all[static_cast<std::size_t>(m_rows[static_cast<std::size_t>(row)])];
}

const RunRow* RunListModel::newestOf(const QString& deployment) const {
    const auto place = std::find_if(m_all.begin(), m_all.end(), [&](const RunRow& run) {
        return run.isReadable() && run.deployment == deployment && !std::isnan(run.throughput);
    });
    return place == m_all.end() ? nullptr : &*place;
}

QList<RunRow> RunListModel::validLike(const QString& path, int atMost) const {
    QList<RunRow> found;
    const RunRow* chosen = run(path);
    for (const RunRow& other : m_all)
        if (chosen && found.size() < atMost && other.isOk() && other.point == chosen->point &&
            other.profiled == chosen->profiled && !std::isnan(other.throughput))
            found.prepend(other);
    return found;
}

int RunListModel::rowOf(const QString& path) const {
    for (int row = 0; row < rowCount(); ++row)
        if (runAt(row)->path == path) return row;
    return -1;
}

const RunRow* RunListModel::chosenBaseline() const { return m_baseline.isEmpty() ? nullptr : run(m_baseline); }

const RunRow* RunListModel::baselineOf(int index) const {
    if (const RunRow* chosen = chosenBaseline()) return chosen;
    const int previous = m_previous[static_cast<std::size_t>(index)];
    return previous < 0 ? nullptr : &m_all[static_cast<std::size_t>(previous)];
}

bool RunListModel::isOfMany(const RunRow& run, const RunRow& baseline) const {
    return &baseline != chosenBaseline() && baseline.group() != run.group() && repetitions(baseline.path).size() > 1;
}

/// Return the rate of the baseline: its own if the user chose it or it is a repetition of `run`, otherwise the median
/// of its repetitions, as in its row.
double RunListModel::rateBeside(const RunRow& run, const RunRow& baseline) const {
    std::vector<double> rates;
    if (isOfMany(run, baseline))
        for (const RunRow& other : repetitions(baseline.path))
            if (other.isOk() && !std::isnan(other.throughput)) rates.push_back(other.throughput);
    return rates.empty() ? baseline.throughput : medianOf(std::move(rates));
}

RateChange RunListModel::change(int row, double rate, int runs) const {
    const RunRow& run = *runAt(row);
    const bool isChosen = chosenBaseline() != nullptr;
    const RunRow* baseline = baselineOf(m_rows[static_cast<std::size_t>(row)]);
    if (run.path == m_baseline && runs == 1) return {.text = tr("baseline"), .beside = {}};
    if (!run.isOk() || std::isnan(rate)) return {};
    if (!baseline)
        return {.text = tr("first"),
                .beside = tr("no earlier run has the same settings; in Results you can choose another run "
                             "to compare with")};
    const double part = rate / rateBeside(run, *baseline) - 1;
    if (!std::isfinite(part)) return {};
    const bool isSame = std::abs(part) < kSame, isMore = part > 0;
    const bool isMany = isOfMany(run, *baseline);
    const QString of =
        isChosen   ? runs > 1 ? tr("median throughput compared with the baseline, %1")
                              : tr("throughput compared with the baseline, %1")
          : runs > 1 ? isMany ? tr("median throughput compared with the previous repetitions, %1; the comparison "
                                     "shows whether the difference is real")
                              : tr("median throughput compared with the previous run, %1; one run proves nothing")
          : isMany ? tr("throughput compared with the median of the previous repetitions, %1; one run proves nothing")
                   : tr("throughput compared with the previous run, %1; two single runs prove nothing");
    return {.text = isSame     ? QStringLiteral("± 0 %")
                    : isChosen ? QStringLiteral("%1 %2").arg(QChar(isMore ? u'▲' : u'▼')).arg(percentText(part))
                               : (isMore ? u'+' : u'−') + percentText(part),
            .beside = of.arg(baseline->when()),
            .tone = isSame || !isChosen ? 0
                    : isMore            ? 1
                                        : -1};  // one run compared with the previous one is no verdict
}

std::vector<RunGroup> RunListModel::groups() const {
    std::vector<RunGroup> groups;
    QHash<QString, std::size_t> places;
    for (const RunRow& run : m_all) {
        if (!run.isReadable()) continue;
        const QString key = run.group();
        const auto place = places.constFind(key);
        if (place == places.constEnd()) {
            places.insert(key, groups.size());
            groups.push_back({run.set, {}, {run}});
        } else {
            groups[*place].runs.prepend(run);
        }
    }
    for (RunGroup& group : groups) {
        const auto good =
            std::count_if(group.runs.begin(), group.runs.end(), [](const RunRow& run) { return run.isOk(); });
        const RunRow& first = group.runs.first();
        const int count = static_cast<int>(group.runs.size());
        QStringList parts{first.label};
        if (first.profiled) parts.append(tr("profiled"));
        parts.append(group.runs.last().when());  // in the form of the list of runs
        parts.append(good == count ? tr("%n run(s)", nullptr, count)
                                   : tr("%n run(s), %1 ok", nullptr, count).arg(good));
        group.label = parts.join(QStringLiteral(" · "));
    }
    return groups;
}

QList<RunRow> RunListModel::repetitions(const QString& path) const {
    const RunRow* chosen = run(path);
    if (!chosen) return {};
    QList<RunRow> found;
    for (const RunRow& other : m_all)
        if (other.path == path ||
            (!chosen->set.isEmpty() && other.set == chosen->set && other.point == chosen->point && other.isReadable()))
            found.prepend(other);
    return found;
}

}  // namespace weir::editor
