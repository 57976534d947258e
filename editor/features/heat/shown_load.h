#pragma once

#include <QStringList>
#include <QVariantMap>

namespace weir::editor {

/// What a run measured of a block, as it is shown on it.
struct ShownLoad {
    int heat = -1; ///< of its header, 0 to 4; negative: none
    QString pill;
    QStringList facts; ///< below the block, what matters most first
    QString hint;
    bool bottleneck = false;
    QString brief; ///< of the pill, where it has no room for names of workers

    /// As a role of the block model has it.
    QVariantMap said() const {
        return {{QStringLiteral("heat"), heat},   {QStringLiteral("pill"), pill},
                {QStringLiteral("facts"), facts}, {QStringLiteral("hint"), hint},
                {QStringLiteral("brief"), brief}, {QStringLiteral("bottleneck"), bottleneck}};
    }
};

} // namespace weir::editor
