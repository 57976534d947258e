#include "features/problems/problem_guide.h"

#include "core/document/project_parts.h"
#include "features/deployment/deployments.h"
#include "features/inspector/inspector.h"
#include "features/inspector/project_parameters.h"
#include "features/mapping/mapping_controller.h"
#include "features/problems/problem_place.h"
#include "shell/session/session.h"

namespace weir::editor {

ProblemGuide::ProblemGuide(Session& session, Inspector& inspector, ProjectParameters& parameters,
                           Deployments& deployments, MappingController& mapping, QObject* parent)
    : QObject(parent), m_session(session), m_inspector(inspector), m_parameters(parameters), m_deployments(deployments),
      m_mapping(mapping) {}

void ProblemGuide::goTo(int problem) {
    const auto& problems = m_session.problemModel().problems();
    if (problem < 0 || problem >= static_cast<int>(problems.size())) return;
    const ProblemPlace place =
        problemPlace(problems[static_cast<std::size_t>(problem)].pointer, m_session.document().json());
    switch (place.kind) {
        case ProblemPlace::Kind::Block:
            m_session.goTo(place.name);
            m_inspector.goToField(place.field);
            break;
        case ProblemPlace::Kind::Group:
            m_session.selection().set(QSet<QString>(place.blocks.begin(), place.blocks.end()));
            if (!place.blocks.isEmpty()) emit m_session.revealRequested(place.blocks.first());
            break;
        case ProblemPlace::Kind::Connection:
            if (place.connection) {
                m_session.selection().set({}, {*place.connection});
                emit m_session.revealRequested(QString::fromStdString(place.connection->source));
            }
            break;
        case ProblemPlace::Kind::Parameter:
            m_session.selection().clear();
            emit m_parameters.focusRequested(place.name, place.field);
            break;
        case ProblemPlace::Kind::Deployment:
            if (!place.thread.isEmpty()) goToThread(place.name, place.thread, place.field);
            else m_deployments.show(place.name, place.field);
            break;
        case ProblemPlace::Kind::Run: m_deployments.showRun(place.field); break;
        case ProblemPlace::Kind::Project:
            m_session.selection().clear();
            m_inspector.goToProjectField(place.field);
            break;
    }
}

/// What is said of a worker is edited where the workers are, that of a block beside the block.
void ProblemGuide::goToThread(const QString& deployment, const QString& thread, const QString& field) {
    m_session.setDeploymentIndex(static_cast<int>(m_session.deployments().indexOf(deployment)));
    if (!m_session.scene().block(thread)) return m_mapping.openWorker(thread);
    m_session.goTo(thread);
    m_inspector.goToField(QStringLiteral("block:") + field);
}

void ProblemGuide::goToItems() {
    const Json& project = m_session.document().json();
    const GraphScene& scene = m_session.scene();
    for (const BlockView& block : scene.blocks()) {
        const BlockType* type =
            block.state == BlockState::Enabled ? scene.catalog().block(block.type.toStdString()) : nullptr;
        const auto place = blockPointer(project, block.id.toStdString());
        const std::string bound = type ? text(member(type->behaviour, "bounds")) : std::string();
        const Json* own =
            place && !bound.empty() ? member(object(member(project.at(*place), "parameters")), bound.c_str()) : nullptr;
        if (!own || *own == 0) // 0: as many as the run
            continue;
        m_session.goTo(block.id);
        m_inspector.goToField(QString::fromStdString(bound));
        return;
    }
    m_deployments.showRun(QStringLiteral("items"));
}

} // namespace weir::editor
