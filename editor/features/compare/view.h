#pragma once

#include "shell/session/views.h"

#include <QCoreApplication>

namespace weir::editor {

inline View compareView() {
    return {5, QStringLiteral("compare"), QCoreApplication::translate("Views", "Compare"),
            QCoreApplication::translate("Views", "Compare runs"), QStringLiteral("ComparePage.qml")};
}

} // namespace weir::editor
