#include "features/mapping/schedule_words.h"

#include "core/deployment/machine.h"
#include "core/text/texts.h"

#include <algorithm>
#include <limits>

namespace weir::editor {
namespace {

constexpr qsizetype kMost = 8;  ///< lines, or names in a line: a place can have as many streams as a worker has blocks

int count(qint64 number) { return static_cast<int>(std::min<qint64>(number, std::numeric_limits<int>::max())); }

QString itemsText(const std::vector<qint64>& rates, qint64 times) {
    QStringList items;
    for (const qint64 rate : rates) items.append(QString::number(rate * times));
    return items.join(QStringLiteral(" + "));
}

QString streamLine(const PlannedStream& stream, const ArenaPlace& place) {
    const QString size =
        MappingText::tr("%1: %n item(s), %2", nullptr, count(stream.items)).arg(stream.from, binarySize(stream.bytes));
    if (const PlannedStream* lower = place.below(stream))
        return MappingText::tr("%1, in place over %2").arg(size, lower->from);
    return &stream == place.streams.front() ? size : MappingText::tr("%1, at another time").arg(size);
}

}  // namespace

const PlannedStream* ArenaPlace::below(const PlannedStream& stream) const {
    const QString input = stream.writer() + u'.';
    const auto isRead = [&](const QString& reader) { return reader.startsWith(input); };
    for (const PlannedStream* other : streams)
        if (other->from == stream.over || std::any_of(other->readers.begin(), other->readers.end(), isRead))
            return other;
    return nullptr;
}

QStringList shortened(const QStringList& all) {
    if (all.size() <= kMost) return all;
    const QStringList first = all.mid(0, kMost - 1);
    const auto left = static_cast<int>(all.size() - first.size());
    return first + QStringList(MappingText::tr("… and %n more", nullptr, left));
}

std::vector<ArenaPlace> placesOf(const PlanView& plan, const QString& worker) {
    std::vector<ArenaPlace> places;
    const QString& described = plan.replicated ? plan.workers.front().name : worker;
    for (const PlannedStream& stream : plan.streams) {
        if (stream.arena != described) continue;
        auto it = std::find_if(places.begin(), places.end(),
                               [&](const ArenaPlace& place) { return place.offset == stream.offset; });
        if (it == places.end()) it = places.insert(it, {stream.offset, 0, {}});
        it->bytes = std::max(it->bytes, stream.bytes);
        it->streams.push_back(&stream);
    }
    std::sort(places.begin(), places.end(),
              [](const ArenaPlace& a, const ArenaPlace& b) { return a.offset < b.offset; });
    return places;
}

QString copiesText(const QStringList& instances, const QString& block) {
    if (instances.size() == 1) return instances.first();
    const auto split = [](const QString& name) {
        const qsizetype open = name.indexOf(u'[');
        const qsizetype close = name.indexOf(u']', open);
        return open < 0 ? std::pair(-1, QString())
                        : std::pair(name.mid(open + 1, close - open - 1).toInt(), name.mid(close + 1));
    };
    const auto [first, pipe] = split(instances.first());
    for (qsizetype index = 0; index < instances.size(); ++index)
        if (first < 0 || split(instances[index]) != std::pair(first + static_cast<int>(index), pipe))
            return QStringLiteral("%1 × %2").arg(block).arg(instances.size());
    return QStringLiteral("%1[%2..%3]%4").arg(block).arg(first).arg(first + instances.size() - 1).arg(pipe);
}

QString loopTitle(const QStringList& instances, const PlanView& plan) {
    const auto blockOf = [&plan](const QString& name) {
        const PlannedInstance* instance = plan.instance(name);
        return instance ? instance->block : name;
    };
    const QString block = blockOf(instances.constLast());
    const bool alike =
        std::all_of(instances.begin(), instances.end(), [&](const QString& name) { return blockOf(name) == block; });
    return MappingText::tr("one loop: %1")
        .arg(alike ? copiesText(instances, block) : shortened(instances).join(QStringLiteral(", ")));
}

QString loopText(const QStringList& instances) {
    return MappingText::tr("one loop: an item goes through %1 in a register")
        .arg(shortened(instances).join(QStringLiteral(", ")));
}

QString callText(const PlannedInstance& instance, qint64 times, qint64 calls) {
    QStringList lines{MappingText::tr("%n firing(s) per call", nullptr, count(times))};
    if (!instance.inRates.empty())
        lines.append(MappingText::tr("items in: %1").arg(itemsText(instance.inRates, times)));
    if (!instance.outRates.empty())
        lines.append(MappingText::tr("items out: %1").arg(itemsText(instance.outRates, times)));
    lines.append(MappingText::tr("%n call(s) per period", nullptr, count(calls)));
    return lines.join(u'\n');
}

QString placeTitle(const ArenaPlace& place) {
    constexpr std::size_t kNames = 3;
    QStringList names;
    for (std::size_t index = 0; index < std::min(place.streams.size(), kNames); ++index)
        names.append(place.streams[index]->from);
    const auto more = static_cast<int>(place.streams.size()) - static_cast<int>(names.size());
    const QString few = names.join(QStringLiteral(", "));
    return more == 0 ? few : MappingText::tr("%1 and %n more", nullptr, more).arg(few);
}

QString sharing(const ArenaPlace& place, const std::vector<ArenaPlace>& others) {
    const auto over = std::count_if(place.streams.begin(), place.streams.end(),
                                    [&](const PlannedStream* stream) { return place.below(*stream); });
    const bool inTurn = over + 1 < static_cast<std::ptrdiff_t>(place.streams.size()) ||
                        std::any_of(others.begin(), others.end(), [&](const ArenaPlace& other) {
                            return other.offset != place.offset && place.sharesBytesWith(other);
                        });
    return over > 0 && inTurn ? MappingText::tr("in place, in turn")
           : over > 0         ? MappingText::tr("in place")
           : inTurn           ? MappingText::tr("in turn")
                              : QString();
}

QString placeText(const ArenaPlace& place, const std::vector<ArenaPlace>& others,
                  const PlannedWorkerSchedule& schedule) {
    QStringList lines{MappingText::tr("%1 from byte %2 of the arena of %3, which has %4")
                          .arg(binarySize(place.bytes))
                          .arg(place.offset)
                          .arg(schedule.worker, binarySize(schedule.arenaBytes))};
    QStringList here;
    for (const PlannedStream* stream : place.streams) here.append(streamLine(*stream, place));
    lines.append(shortened(here));
    QStringList inTurn;
    for (const ArenaPlace& other : others)
        if (other.offset != place.offset && place.sharesBytesWith(other))
            for (const PlannedStream* stream : other.streams) inTurn.append(stream->from);
    if (!inTurn.isEmpty())
        lines.append(
            MappingText::tr("shares its bytes in turn with %1").arg(shortened(inTurn).join(QStringLiteral(", "))));
    return lines.join(u'\n');
}

QString ringText(const PlannedStream& stream, const QString& from, const QStringList& to) {
    return MappingText::tr("%1 → %2").arg(stream.from, stream.readers.join(QStringLiteral(", "))) + u'\n' +
           MappingText::tr("ring of %n item(s), %1, from %2 to %3", nullptr, count(stream.items))
               .arg(binarySize(stream.bytes), from, to.join(QStringLiteral(", ")));
}

}  // namespace weir::editor
