#include "features/mapping/bar_layout.h"

#include "core/text/texts.h"
#include "features/mapping/schedule_words.h"

#include <algorithm>

namespace weir::editor {
namespace {

using namespace lanes;

constexpr double kTotal = 76;     ///< right of an arena, for its size
constexpr double kLeastPlace = 5; ///< least width that keeps a few bytes visible
constexpr double kPlaceGap = 2;
constexpr double kAbove = 10;           ///< gap between the bars and the arena, and between the arena and the rings
constexpr std::size_t kMostRings = 12; ///< more rings are combined

/// Visits the loops of a worker schedule and makes bars of the calls.
class CallList {
  public:
    CallList(const PlannedWorker& worker, LaneRow& row, const InstanceIndex& known, const LaneInput& input)
        : m_row(row), m_known(known), m_input(input), m_there(worker.instances.begin(), worker.instances.end()) {}

    void read(const std::vector<PlannedStep>& body, qint64 repeated = 1) {
        for (const PlannedStep& step : body) {
            if (step.instances.isEmpty()) {
                m_loops.push_back({m_nextLoop++, step.times});
                read(step.body, repeated * step.times);
                m_loops.pop_back();
            } else {
                m_calls += repeated;
                m_fired.unite(QSet<QString>(step.instances.begin(), step.instances.end()));
                if (m_there.contains(step.instances.constLast())) add(step, repeated);
            }
        }
    }

    qint64 calls() const { return m_calls; }
    const QSet<QString>& fired() const { return m_fired; }

  private:
    void add(const PlannedStep& step, qint64 repeated) {
        // If several instances fire in one loop, the time of all is recorded for the last one.
        const QString& name = step.instances.constLast();
        const bool together = step.instances.size() > 1;
        const PlannedInstance* instance = m_known.value(name);
        const QString block = instance ? instance->block : name;
        // Show the work of an instance once, even if it has several calls.
        const double share = m_shown.contains(name) ? -1 : m_input.measured.shareOf.value(name, -1);
        m_shown.insert(name);
        LaneBar* last = m_row.bars.empty() ? nullptr : &m_row.bars.back();
        const bool folds = !m_input.options.unfolded && !together && last && !last->together;
        if (folds && last->block == block && last->times == step.times && last->loops == m_loops &&
            !last->instances.contains(name)) {
            last->instances.append(name);
            last->share = share < 0 || last->share < 0 ? -1 : last->share + share;
            last->title = copiesText(last->instances, block);
            return;
        }
        LaneBar bar{step.instances, block, together ? loopTitle(step.instances, m_input.plan) : name, {}, share, false};
        bar.together = together;
        bar.call = static_cast<int>(m_row.bars.size());
        bar.times = step.times;
        bar.loops = m_loops;
        if (instance)
            bar.text =
                (together ? loopText(step.instances) + u'\n' : QString()) + callText(*instance, step.times, repeated);
        m_row.bars.push_back(std::move(bar));
    }

    LaneRow& m_row;
    const InstanceIndex& m_known;
    const LaneInput& m_input;
    QSet<QString> m_there;
    QSet<QString> m_fired;
    QSet<QString> m_shown;
    std::vector<LaneLoop> m_loops;
    int m_nextLoop = 0;
    qint64 m_calls = 0;
};

void addPlaces(LaneRow& row, const PlannedWorkerSchedule& schedule, const PlanView& plan) {
    const std::vector<ArenaPlace> places = placesOf(plan, schedule.worker);
    const auto arena = static_cast<double>(std::max<qint64>(schedule.arenaBytes, 1));
    for (const ArenaPlace& place : places) {
        LanePart part;
        part.kind = QStringLiteral("place");
        part.key = QStringLiteral("%1 place %2").arg(schedule.worker).arg(place.offset);
        part.title = placeTitle(place);
        const QString shared = sharing(place, places);
        part.shared = !shared.isEmpty();
        const QString size = binarySize(place.bytes);
        part.detail = part.shared ? MappingText::tr("%1 · %2").arg(shared, size) : size;
        part.text = placeText(place, places, schedule);
        for (const PlannedStream* stream : place.streams) {
            part.writers.append(stream->writer());
            for (const QString& reader : stream->readers) part.instances.append(reader.section(u'.', 0, 0));
        }
        part.instances.append(part.writers);
        part.instances.removeDuplicates();
        // As fractions of the arena, until its drawn width is known.
        part.rect = {static_cast<double>(place.offset) / arena, 0, static_cast<double>(place.bytes) / arena, 0};
        row.parts.push_back(std::move(part));
    }
}

/// Combine rings to the same workers, if there are too many to show each.
void gatherRings(std::vector<LanePart>& rings, const QString& worker) {
    std::vector<LanePart> gathered;
    QHash<QString, std::size_t> found;
    QHash<QString, qint64> bytes;
    QHash<QString, QStringList> texts;
    for (const LanePart& ring : rings) {
        const QString to = ring.to.join(QStringLiteral(", "));
        if (!found.contains(to)) {
            found.insert(to, gathered.size());
            gathered.push_back({ring.kind, QStringLiteral("%1 rings %2").arg(worker, to)});
        }
        LanePart& all = gathered[found.value(to)];
        all.instances += ring.instances;
        all.writers += ring.writers;
        bytes[to] += ring.bytes;
        texts[to].append(MappingText::tr("%1: %2").arg(ring.title, ring.detail));
        all.to = ring.to;
    }
    for (LanePart& all : gathered) {
        const QString to = all.to.join(QStringLiteral(", "));
        all.title = MappingText::tr("%n ring(s) → %1", nullptr, static_cast<int>(texts[to].size())).arg(to);
        all.detail = binarySize(bytes[to]);
        all.text = all.title + QStringLiteral(", ") + all.detail + u'\n' + shortened(texts[to]).join(u'\n');
        all.instances.removeDuplicates();
        all.writers.removeDuplicates();
    }
    rings = std::move(gathered);
}

void addRings(LaneRow& row, const PlannedWorker& worker, const InstanceIndex& known, const PlanView& plan) {
    const QSet<QString> own(worker.instances.begin(), worker.instances.end());
    std::vector<LanePart> rings;
    for (const PlannedStream& stream : plan.streams) {
        if (stream.kind != QLatin1String("ring") || !own.contains(stream.writer())) continue;
        LanePart part;
        part.kind = QStringLiteral("ring");
        part.key = QStringLiteral("%1 ring %2").arg(worker.name, stream.from);
        part.writers = part.instances = {stream.writer()};
        for (const QString& reader : stream.readers) {
            part.instances.append(reader.section(u'.', 0, 0));
            if (const PlannedInstance* instance = known.value(part.instances.constLast()))
                part.to.append(instance->worker);
        }
        part.to.removeDuplicates();
        part.bytes = stream.bytes;
        part.title = MappingText::tr("%1 → %2").arg(stream.from, part.to.join(QStringLiteral(", ")));
        part.detail = binarySize(stream.bytes);
        part.text = ringText(stream, worker.name, part.to);
        rings.push_back(std::move(part));
    }
    if (rings.size() > kMostRings) gatherRings(rings, worker.name);
    row.parts.insert(row.parts.end(), rings.begin(), rings.end());
}

double placeArena(LaneRow& row, double top, double width) {
    const double left = barsLeft();
    const double room = barsRight(width) - left - kTotal;
    std::vector<double> filledTo; // by line of the strip
    for (LanePart& part : row.parts) {
        if (part.kind != QLatin1String("place")) continue;
        const double x = left + part.rect.x() * room;
        const double wide = std::max(part.rect.width() * room, kLeastPlace);
        std::size_t line = 0;
        while (line < filledTo.size() && filledTo[line] > x + 0.5) ++line;
        if (line == filledTo.size()) filledTo.push_back(0);
        filledTo[line] = x + wide;
        part.rect = {x, top + static_cast<double>(line) * (kPlace + kPlaceGap), wide, kPlace};
    }
    if (filledTo.empty()) return 0;
    const double height = static_cast<double>(filledTo.size()) * (kPlace + kPlaceGap) - kPlaceGap;
    row.arenaRect = {left, top, room, height};
    return height;
}

double placeRings(LaneRow& row, double top, double width) {
    const double left = barsLeft();
    const double right = barsRight(width);
    double x = left;
    double y = top;
    bool any = false;
    for (LanePart& part : row.parts) {
        if (part.kind != QLatin1String("ring")) continue;
        const double letters = static_cast<double>(part.title.size() + part.detail.size());
        const double wide = std::min(std::clamp(38 + 7 * letters, kLeastBar, 360.0), right - left);
        if (x > left && x + wide > right) {
            x = left;
            y += kPlace + kGap;
        }
        part.rect = {x, y, wide, kPlace};
        x += wide + kGap;
        any = true;
    }
    if (!any) return 0;
    row.ringsRect = {left, top, right - left, y + kPlace - top};
    return row.ringsRect.height();
}

} // namespace

void fillFrom(const PlannedWorkerSchedule& schedule, const PlannedWorker& worker, LaneRow& row,
              const InstanceIndex& known, const LaneInput& input) {
    CallList calls(worker, row, known, input);
    calls.read(schedule.body);
    QStringList since;
    for (const QString& instance : worker.instances)
        if (!calls.fired().contains(instance)) since.append(instance);
    for (LaneBar& bar : barsOf(since, known, input)) row.bars.push_back(std::move(bar));
    // The schedule of a worker whose blocks differ from the plan is unknown.
    if (!since.isEmpty() || calls.fired().size() != worker.instances.size()) return;
    row.period = MappingText::tr("repeats %n call(s)", nullptr, static_cast<int>(calls.calls()));
    row.arena = schedule.arenaBytes > 0 ? binarySize(schedule.arenaBytes) : QString();
    addPlaces(row, schedule, input.plan);
    addRings(row, worker, known, input.plan);
}

double placeBuffers(LaneRow& row, double top, double width) {
    double height = 0;
    for (const auto place : {placeArena, placeRings})
        if (const double used = place(row, top + height - kPadding + kAbove, width); used > 0) height += used + kAbove;
    return height;
}

} // namespace weir::editor
