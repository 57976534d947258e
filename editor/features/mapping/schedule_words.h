#pragma once

#include "core/deployment/plan_view.h"

namespace weir::editor {

/// Streams at one place of an arena. All of them begin at its first byte.
struct ArenaPlace {
    qint64 offset = 0;
    qint64 bytes = 0; ///< of the largest
    std::vector<const PlannedStream*> streams = {};

    /// The stream at this place that the writer of `stream` reads: it works in place.
    const PlannedStream* below(const PlannedStream& stream) const;
    bool sharesBytesWith(const ArenaPlace& other) const {
        return offset < other.offset + other.bytes && other.offset < offset + bytes;
    }
};

/// The places of a worker's arena, from its beginning.
std::vector<ArenaPlace> placesOf(const PlanView& plan, const QString& worker);

/// `stage[0..2]`, or `stage × 3` where their numbers do not follow each other.
QString copiesText(const QStringList& instances, const QString& block);

/// Return the name of a loop in which instances fire over their items, and the text about it.
QString loopTitle(const QStringList& instances, const PlanView& plan);
QString loopText(const QStringList& instances);

/// Return the lines about a call: firings, items at the ports, and calls in a period.
QString callText(const PlannedInstance& instance, qint64 times, qint64 calls);

/// Return the lines about a place: its position, and its streams. `others`: all places of the arena.
QString placeText(const ArenaPlace& place, const std::vector<ArenaPlace>& others,
                  const PlannedWorkerSchedule& schedule);

/// The names of the streams at a place, few of them.
QString placeTitle(const ArenaPlace& place);

/// `in place`, `in turn` or both: how streams share the bytes of the place; empty where they do not.
QString sharing(const ArenaPlace& place, const std::vector<ArenaPlace>& others);

/// Return as many lines as fit a hint, or names in a line, and the number of the rest.
QStringList shortened(const QStringList& all);

/// Return the lines about a ring to other workers.
QString ringText(const PlannedStream& stream, const QString& from, const QStringList& to);

} // namespace weir::editor
