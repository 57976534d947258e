#pragma once

#include "window_fixture.h"

#include <QTemporaryDir>

namespace weir::editor {

/// Window with a project planned for two cores, whatever machine runs the test.
struct LanesWindow : WindowFixture {
    explicit LanesWindow(const QString& project) : WindowFixture(project), mapping(*editor->mapping()) {
        if (!isReady()) qFatal("the window is not ready");
        mapping.loadMachine(QUrl::fromLocalFile(QStringLiteral(WEIR_ROOT "/codegen/tests/machines/two_core.json")));
    }

    /// Return the path of a writable copy of the project.
    static QString copyOf(const QString& project, const QTemporaryDir& folder) {
        const QString copy = folder.filePath(QFileInfo(project).fileName());
        QFile::remove(copy);
        QFile::copy(project, copy);
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
        return copy;
    }

    /// Return why there is no plan, or an empty text if the project has one.
    QString whyNoPlan() const {
        if (!QTest::qWaitFor([this] { return mapping.isActive() && !mapping.isPlanning(); }, 60000))
            return mapping.isActive() ? QStringLiteral("the planner does not answer")
                                      : QStringLiteral("the lanes are not shown");
        return mapping.hasPlan() ? QString() : QStringLiteral("no plan: ") + mapping.failure();
    }
    /// Shows the lanes, then returns whyNoPlan().
    QString showLanes() {
        editor->setView(QStringLiteral("lanes"));
        return whyNoPlan();
    }

    MappingController& mapping;
};

} // namespace weir::editor
