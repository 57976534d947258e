#pragma once

#include "shell/session/views.h"

#include <QCoreApplication>

namespace weir::editor {

inline View canvasView() {
    return {1,
            QStringLiteral("canvas"),
            QCoreApplication::translate("Views", "Graph"),
            QCoreApplication::translate("Views", "Show the graph"),
            {}};
}

} // namespace weir::editor
