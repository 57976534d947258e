#pragma once

#include "shell/session/views.h"

#include <QCoreApplication>

namespace weir::editor {

inline View sweepingView() {
    return {6, QStringLiteral("sweep"), QCoreApplication::translate("Views", "Sweep"),
            QCoreApplication::translate("Views", "Show the sweep"), QStringLiteral("SweepPage.qml")};
}

} // namespace weir::editor
