#pragma once

#include "core/catalog/catalog.h"

#include <QObject>
#include <QString>

namespace weir::editor {

/// A row of the palette or of the insert popup: a block type, or the heading of a group of them.
struct BlockEntry {
    Q_GADGET
    Q_PROPERTY(QString type MEMBER type)
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString category MEMBER category)
    Q_PROPERTY(QString ports MEMBER ports)
    Q_PROPERTY(QString documentation MEMBER documentation)
    Q_PROPERTY(QString reason MEMBER reason)
    Q_PROPERTY(bool favourite MEMBER favourite)
    Q_PROPERTY(QString group MEMBER group)
    Q_PROPERTY(int count MEMBER count)
    Q_PROPERTY(bool open MEMBER open)

  public:
    QString type; ///< empty for a heading
    QString title;
    QString category;
    QString ports;         ///< "in f32/c64 → out f32/c64"
    QString documentation; ///< first sentence only
    QString reason;        ///< why the block is offered or was found
    bool favourite = false;
    QString group; ///< identifier of the group; empty for a block
    int count = 0; ///< number of its blocks
    bool open = true;

    static BlockEntry of(const BlockType& type, const QString& reason, bool favourite);
    static BlockEntry heading(const QString& group, const QString& title, int count, bool open);

    bool operator==(const BlockEntry&) const = default;
};

} // namespace weir::editor
