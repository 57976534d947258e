#include "features/problems/problem_place.h"

#include "core/document/project_places.h"
#include "shell/fields/row_builder.h"

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

/// The row of a value is named after its key; those of `memory`, `build`, `trace`, `volk`, `disturb` and `parameters` after the
/// key below, and those of single kernels of VOLK after these.
QString fieldOf(const std::vector<std::string>& parts, std::size_t from) {
    if (parts.size() <= from) return {};
    const std::string& key = parts[from];
    const bool nested =
        key == "parameters" || key == "memory" || key == "build" || key == "trace" || key == "volk" || key == "disturb";
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

}  // namespace weir::editor
