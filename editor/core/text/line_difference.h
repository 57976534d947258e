#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

struct DifferenceLine {
    enum class Kind { Same, Removed, Added, Gap };

    Kind kind = Kind::Same;
    QString text;

    bool operator==(const DifferenceLine&) const = default;
};

/// Return the lines removed from `before` and added in `after`, with `context` unchanged lines around each change; all
/// lines if it is negative.
std::vector<DifferenceLine> lineDifference(const QString& before, const QString& after, int context = 2);

}  // namespace weir::editor
