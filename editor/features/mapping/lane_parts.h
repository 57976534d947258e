#pragma once

#include <QObject>
#include <QRectF>
#include <QString>
#include <QStringList>

namespace weir::editor {

/// What a row shows of a schedule besides the calls: how often a loop is repeated, a place in the arena, or a ring to
/// other workers.
struct LanePart {
    Q_GADGET
    Q_PROPERTY(QString kind MEMBER kind)
    Q_PROPERTY(QString key MEMBER key)
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString detail MEMBER detail)
    Q_PROPERTY(QString text MEMBER text)
    Q_PROPERTY(bool shared MEMBER shared)
    Q_PROPERTY(bool selected MEMBER selected)
    Q_PROPERTY(QRectF rect MEMBER rect)

  public:
    QString kind = {}; ///< loop, place or ring
    QString key = {};  ///< no other part of any row has it
    QString title = {};
    QString detail = {};
    QString text = {};           ///< all that there is to tell, in lines
    QStringList instances = {};  ///< that it belongs to: those in the loop, writers and readers of the streams
    QStringList writers = {};    ///< that are selected with it
    QStringList to = {};         ///< of a ring: the workers that read it
    qint64 bytes = 0;            ///< of a ring
    bool shared = false;         ///< several streams have bytes of the place
    bool selected = false;
    QRectF rect = {}; ///< from the upper left corner of the whole view

    bool operator==(const LanePart&) const = default;
};

/// A loop around bars, or the part of it that one line has.
struct LaneFrame {
    QRectF rect = {};
    bool begins = true;
    bool ends = true;

    bool operator==(const LaneFrame&) const = default;
};

} // namespace weir::editor
