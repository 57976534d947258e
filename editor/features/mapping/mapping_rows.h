#pragma once

#include <QObject>
#include <QString>

namespace weir::editor {

// What the mapping view lists beside its lanes.

/// A way to place blocks on workers.
struct PlacementStrategy {
    Q_GADGET
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString about MEMBER about)

  public:
    QString name; ///< as the project file has it
    QString title;
    QString about;

    bool operator==(const PlacementStrategy&) const = default;
};

/// Where selected blocks can be mapped to.
struct MoveTarget {
    Q_GADGET
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString kind MEMBER kind)
    Q_PROPERTY(QString worker MEMBER worker)
    Q_PROPERTY(int cpu MEMBER cpu)

  public:
    QString title;
    QString kind; ///< worker, new, any or cpu
    QString worker = {};
    int cpu = -1;

    bool operator==(const MoveTarget&) const = default;
};

/// A worker that gives blocks its colour.
struct WorkerColour {
    Q_GADGET
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(int number MEMBER number)
    Q_PROPERTY(QString cpus MEMBER cpus)

  public:
    QString name;
    int number = 0; ///< of its colour
    QString cpus;   ///< `0, 2-3`; empty for any

    bool operator==(const WorkerColour&) const = default;
};

} // namespace weir::editor
