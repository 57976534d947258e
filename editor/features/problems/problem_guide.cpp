#include "features/problems/problem_guide.h"

#include "core/document/project_places.h"
#include "features/deployment/deployments.h"
#include "features/inspector/inspector.h"
#include "features/inspector/project_parameters.h"
#include "features/mapping/mapping_controller.h"
#include "shell/fields/row_builder.h"
#include "shell/session/session.h"

namespace weir::editor {
namespace {

std::vector<std::string> partsOf(const QString& pointerText) {
    std::vector<std::string> parts;
    try {
        for (Pointer pointer(pointerText.toStdString()); !pointer.empty(); pointer.pop_back())
            parts.insert(parts.begin(), pointer.back());
    } catch (const Json::exception&) {
        return {};
    }
    return parts;
}

const Json* elementAt(const Json& project, const Pointer& array, const std::string& index) {
    const Json& elements = list(find(project, array));
    bool isNumber = false;
    const uint number = qt(index).toUInt(&isNumber);
    return isNumber && number < elements.size() ? &elements[number] : nullptr;
}

/// Return the row of a value: it is named after its key. Values of `memory`, `build`, `trace`, `volk`, `interference`
/// and `parameters` are named after the key below, and those of single kernels of VOLK after the key below that.
QString fieldOf(const std::vector<std::string>& parts, std::size_t from) {
    if (parts.size() <= from) return {};
    const std::string& key = parts[from];
    const bool nested = key == "parameters" || key == "memory" || key == "build" || key == "trace" || key == "volk" ||
                        key == "interference";
    if (key == "volk" && parts.size() > from + 2) return qt(parts[from + 2]);
    if (nested) return parts.size() > from + 1 ? qt(parts[from + 1]) : QString();
    return qt(key);
}

ProblemPlace inGraph(const std::vector<std::string>& parts, const Json& project) {
    ProblemPlace place;
    if (parts.size() == 2 && parts[1] == "pipes") place.field = QStringLiteral("pipes");
    if (parts.size() < 3) return place;
    const Json* element = elementAt(project, kGraph.root / parts[1], parts[2]);
    if (!element) return place;
    if (parts[1] == "blocks") {
        place.kind = ProblemPlace::Kind::Block;
        place.name = qt(text(member(*element, "id")));
        place.field = fieldOf(parts, 3);
    } else if (parts[1] == "groups") {
        place.kind = ProblemPlace::Kind::Group;
        place.blocks = strings(member(*element, "blocks"));
    } else if (parts[1] == "connections") {
        place.kind = ProblemPlace::Kind::Connection;
        place.connection = toConnection(*element);
    }
    return place;
}

}  // namespace

ProblemPlace problemPlace(const QString& pointer, const Json& project) {
    const std::vector<std::string> parts = partsOf(pointer);
    ProblemPlace place;
    if (parts.empty()) return place;
    if (parts[0] == "graph") return inGraph(parts, project);
    if (parts[0] == "parameters" && parts.size() > 1) {
        place.kind = ProblemPlace::Kind::Parameter;
        place.name = qt(parts[1]);
        place.field = parts.size() > 2 ? qt(parts[2]) : QString();
    } else if (parts[0] == "deployments" && parts.size() > 1) {
        const Json* deployment = elementAt(project, kDeployments, parts[1]);
        place.kind = ProblemPlace::Kind::Deployment;
        place.name = deployment ? qt(text(member(*deployment, "name"))) : QString();
        place.field = fieldOf(parts, 2);
        if (place.field == QLatin1String("threads") && parts.size() > 3) {
            place.thread = qt(parts[3]);
            place.field = parts.size() > 4 ? qt(parts[4]) : QStringLiteral("policy");
        }
        // The switches of a list are named after their texts.
        if (deployment && place.field == QLatin1String("require") && parts.size() > 3)
            if (const Json* entry = elementAt(*deployment, Pointer("/require"), parts[3]))
                place.field += u':' + qt(text(entry));
    } else if (parts[0] == "run") {
        place.kind = ProblemPlace::Kind::Run;
        place.field = fieldOf(parts, 1);
    } else {
        place.field = qt(parts[0]);
    }
    return place;
}

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

/// Go to the workers for a problem of a worker, and to the block for a problem of a block.
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
        if (!own || *own == 0)  // 0: as many items as the run
            continue;
        m_session.goTo(block.id);
        m_inspector.goToField(QString::fromStdString(bound));
        return;
    }
    m_deployments.showRun(QStringLiteral("items"));
}

}  // namespace weir::editor
