#include "shell/fields/thread_rows.h"

#include "core/deployment/scheduling_text.h"
#include "core/document/project_schema.h"
#include "shell/fields/schema_rows.h"

namespace weir::editor {

std::vector<ParameterRow> threadRowsOf(const Json& project, const Pointer& deployment, const std::string& name,
                                       const char* whose) {
    const Pointer place = deployment / "threads" / name;
    const bool hasPolicy = find(project, place / "policy");
    Json usual = Json::object();
    for (const auto& item : schemaProperties(place).items())
        if (const Json* value = find(project, deployment / item.key()))
            if (!hasPolicy || shownAt(place / item.key()).with.empty()) usual[item.key()] = *value;
    std::vector<ParameterRow> rows = formRows(project, place, "threads", usual);
    for (ParameterRow& row : rows) row.name = QLatin1String(whose) + u':' + row.name;
    return rows;
}

QString threadText(const Json& project, const Pointer& deployment, const std::string& name) {
    return schedulingText(object(find(project, deployment / "threads" / name)));
}

} // namespace weir::editor
