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

/// Of instances that fire in one loop over their items: its name, and what is to be told of it.
QString loopTitle(const QStringList& instances, const PlanView& plan);
QString loopText(const QStringList& instances);

/// Of a call, in lines: firings, items at the ports, and calls in a period.
QString callText(const PlannedInstance& instance, qint64 times, qint64 calls);

/// Of a place, in lines: where it is, and what lies there. `others`: all places of the arena.
QString placeText(const ArenaPlace& place, const std::vector<ArenaPlace>& others, const PlannedSection& section);

/// The names of the streams at a place, few of them.
QString placeTitle(const ArenaPlace& place);

/// `in place`, `in turn` or both: how streams share the bytes of the place; empty where they do not.
QString sharing(const ArenaPlace& place, const std::vector<ArenaPlace>& others);

/// As many lines as a pointer over it can read, or names in a line; the rest is counted.
QStringList shortened(const QStringList& all);

/// Of a ring to other workers, in lines.
QString ringText(const PlannedStream& stream, const QString& from, const QStringList& to);

} // namespace weir::editor
