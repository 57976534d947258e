#pragma once

#include "core/edits/project_edits.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace weir::editor {

/// What of the window shows the place that a diagnostic points at.
struct ProblemPlace {
    enum class Kind { Project, Block, Group, Connection, Parameter, Deployment, Run };

    Kind kind = Kind::Project;
    QString name;       ///< of the block, parameter or deployment
    QString field;      ///< the row that shows the value, empty where there is none
    QString thread;     ///< what it calls the worker, or the block whose worker it is; empty where it is about all
    QStringList blocks; ///< of the group
    std::optional<Connection> connection;
};

ProblemPlace problemPlace(const QString& pointer, const Json& project);

} // namespace weir::editor
