#pragma once

#include "window_fixture.h"

#include <QTemporaryDir>

namespace weir::editor {

/// The window with a project that is planned for two cores, whatever machine this is.
struct LanesWindow : WindowFixture {
    explicit LanesWindow(const QString& project) : WindowFixture(project), mapping(*editor->mapping()) {
        if (!isReady()) qFatal("the window is not ready");
        mapping.loadMachine(QUrl::fromLocalFile(QStringLiteral(WEIR_ROOT "/codegen/tests/machines/two_core.json")));
    }

    /// A copy that may be changed.
    static QString copyOf(const QString& project, const QTemporaryDir& folder) {
        const QString copy = folder.filePath(QFileInfo(project).fileName());
        QFile::remove(copy);
        QFile::copy(project, copy);
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
        return copy;
    }

    /// Reason why there is no plan; empty if the project has one as it is.
    QString whyNoPlan() const {
        if (!QTest::qWaitFor([this] { return mapping.isActive() && !mapping.isPlanning(); }, 60000))
            return mapping.isActive() ? QStringLiteral("the planner does not answer")
                                      : QStringLiteral("the lanes are not shown");
        return mapping.hasPlan() ? QString() : QStringLiteral("no plan: ") + mapping.failure();
    }
    /// The same once they are shown.
    QString showLanes() {
        editor->setView(QStringLiteral("lanes"));
        return whyNoPlan();
    }

    MappingController& mapping;
};

} // namespace weir::editor
