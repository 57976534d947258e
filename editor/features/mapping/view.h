#pragma once

#include "shell/session/views.h"

#include <QCoreApplication>

namespace weir::editor {

inline View mappingView() {
    return {2, QStringLiteral("lanes"), QCoreApplication::translate("Views", "Mapping"),
            QCoreApplication::translate("Views", "Show the mapping"), QStringLiteral("LanesView.qml")};
}

} // namespace weir::editor
