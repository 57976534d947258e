#pragma once

#include "shell/session/views.h"

#include <QCoreApplication>

namespace weir::editor {

inline View codeView() {
    return {3, QStringLiteral("code"), QCoreApplication::translate("Views", "Code"),
            QCoreApplication::translate("Views", "Show the generated code"), QStringLiteral("CodeView.qml")};
}

} // namespace weir::editor
