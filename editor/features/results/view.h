#pragma once

#include "shell/session/views.h"

#include <QCoreApplication>

namespace weir::editor {

inline View resultsView() {
    return {4, QStringLiteral("results"), QCoreApplication::translate("Views", "Results"),
            QCoreApplication::translate("Views", "Show the results"), QStringLiteral("ResultsPage.qml")};
}

} // namespace weir::editor
