#pragma once

#include "core/edits/project_edits.h"

#include <QtQml/qqmlregistration.h>

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>

namespace weir::editor {

/// Part of the window that shows the place of a diagnostic.
struct ProblemPlace {
    enum class Kind { Project, Block, Group, Connection, Parameter, Deployment, Run };

    Kind kind = Kind::Project;
    QString name;       ///< of the block, parameter or deployment
    QString field;      ///< row that shows the value; empty if there is none
    QString thread;     ///< the problem's name for the worker, or the block that it runs; empty if it is about all
    QStringList blocks; ///< of the group
    std::optional<Connection> connection;
};

ProblemPlace problemPlace(const QString& pointer, const Json& project);

class Deployments;
class Inspector;
class MappingController;
class ProjectParameters;
class Session;

/// Leads from a problem, or from a number that a run lacks, to the setting that fixes it.
class ProblemGuide : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

  public:
    ProblemGuide(Session& session, Inspector& inspector, ProjectParameters& parameters, Deployments& deployments,
                 MappingController& mapping, QObject* parent = nullptr);

    /// Show the place of row `problem` of the problems: select, open and focus it.
    Q_INVOKABLE void goTo(int problem);
    /// Go to the setting that limits the items of a run: a block that ends the stream after a number of its own, else
    /// the run settings.
    Q_INVOKABLE void goToItems();

  private:
    void goToThread(const QString& deployment, const QString& thread, const QString& field);

    Session& m_session;
    Inspector& m_inspector;
    ProjectParameters& m_parameters;
    Deployments& m_deployments;
    MappingController& m_mapping;
};

}  // namespace weir::editor
