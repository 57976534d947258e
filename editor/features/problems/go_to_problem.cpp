#include "deployments.h"
#include "editor.h"
#include "inspector.h"
#include "problem_place.h"

using namespace weir::editor;

void Inspector::focusField(ParameterModel &model, const QString &field)
{
    const int row = model.indexOf(field);
    if (row >= 0)
        emit focusRequested(&model, row);
}

void Inspector::goToFirstField()
{
    setTab(Parameters);
    if (m_parameters.rowCount() > 0)
        emit focusRequested(&m_parameters, 0);
    else if (m_properties.rowCount() > 0)
        emit focusRequested(&m_properties, 0);
}

void Inspector::goToProblem(int problem)
{
    const auto &problems = m_editor.problemModel().problems();
    if (problem < 0 || problem >= static_cast<int>(problems.size()))
        return;
    const ProblemPlace place = problemPlace(problems[static_cast<std::size_t>(problem)].pointer, m_editor.document().json());
    switch (place.kind) {
    case ProblemPlace::Kind::Block:
        m_editor.goTo(place.name);
        setTab(Parameters);
        focusField(m_parameters, place.field);
        focusField(m_properties, place.field);
        break;
    case ProblemPlace::Kind::Group:
        m_editor.selection().set(QSet<QString>(place.blocks.begin(), place.blocks.end()));
        if (!place.blocks.isEmpty())
            emit m_editor.revealRequested(place.blocks.first());
        break;
    case ProblemPlace::Kind::Connection:
        if (place.connection) {
            m_editor.selection().set({}, {*place.connection});
            emit m_editor.revealRequested(QString::fromStdString(place.connection->source));
        }
        break;
    case ProblemPlace::Kind::Parameter:
        m_editor.selection().clear();
        emit parameterFocusRequested(place.name, place.field);
        break;
    case ProblemPlace::Kind::Deployment:
        m_editor.deploymentSettings()->show(place.name, place.field);
        break;
    case ProblemPlace::Kind::Run:
        m_editor.deploymentSettings()->showRun(place.field);
        break;
    case ProblemPlace::Kind::Project:
        m_editor.selection().clear();
        focusField(m_project, place.field);
        break;
    }
}
