#pragma once

#include "core/deployment/plan_view.h"

namespace weir::editor {

/// Streams at one place of an arena; all begin at its first byte.
struct ArenaPlace {
    qint64 offset = 0;
    qint64 bytes = 0; ///< size of the largest stream
    std::vector<const PlannedStream*> streams = {};

    /// Return the stream at this place that the writer of `stream` reads and overwrites in place.
    const PlannedStream* below(const PlannedStream& stream) const;
    bool sharesBytesWith(const ArenaPlace& other) const {
        return offset < other.offset + other.bytes && other.offset < offset + bytes;
    }
};

/// Return the places of a worker's arena, from its beginning.
std::vector<ArenaPlace> placesOf(const PlanView& plan, const QString& worker);

/// Return `stage[0..2]`, or `stage × 3` if their numbers have gaps.
QString copiesText(const QStringList& instances, const QString& block);

/// Return the name and description of a loop in which instances fire over their items.
QString loopTitle(const QStringList& instances, const PlanView& plan);
QString loopText(const QStringList& instances);

/// Return the lines about a call: firings, items at the ports, and calls in a period.
QString callText(const PlannedInstance& instance, qint64 times, qint64 calls);

/// Return the lines about a place: its position and its streams. `others`: all places of the arena.
QString placeText(const ArenaPlace& place, const std::vector<ArenaPlace>& others,
                  const PlannedWorkerSchedule& schedule);

/// Return the names of some of the streams at a place.
QString placeTitle(const ArenaPlace& place);

/// Return how streams share the bytes of the place: `in place`, `in turn` or both; empty if they do not.
QString sharing(const ArenaPlace& place, const std::vector<ArenaPlace>& others);

/// Return as many lines as fit a hint, or names as fit a line, and the number of the rest.
QStringList shortened(const QStringList& all);

/// Return the lines about a ring to other workers.
QString ringText(const PlannedStream& stream, const QString& from, const QStringList& to);

} // namespace weir::editor
