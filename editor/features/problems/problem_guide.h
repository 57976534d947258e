#pragma once

#include <QObject>
#include <QtQml/qqmlregistration.h>

class Deployments;
class Inspector;
class ProjectParameters;
class Session;

/// Leads from a problem to what it is about.
class ProblemGuide : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

public:
    ProblemGuide(Session &session, Inspector &inspector, ProjectParameters &parameters, Deployments &deployments,
                 QObject *parent = nullptr);

    /// Shows the place that row `problem` of the problems is about: selects, opens, focuses.
    Q_INVOKABLE void goTo(int problem);

private:
    Session &m_session;
    Inspector &m_inspector;
    ProjectParameters &m_parameters;
    Deployments &m_deployments;
};
