#include "core/problems/completeness.h"

#include "core/document/project_places.h"

#include <algorithm>

namespace weir::editor {
namespace {

bool isGap(const Problem& problem) {
    return problem.code == QLatin1String("E_PORT_OPEN") || problem.code == QLatin1String("E_PARAMETER_MISSING");
}

} // namespace

void Completeness::judge(std::vector<Problem>& problems, const Json& project, int steps) {
    m_complete.removeIf([steps](const auto& entry) { return entry.value() > steps; });
    QSet<QString> wrong;
    for (Problem& problem : problems) {
        if (problem.severity != QLatin1String("error")) continue;
        wrong.insert(problem.block);
        // An item type that nothing decides is a choice that is still to be made.
        if (problem.code == QLatin1String("E_GRAPH_EMPTY") || problem.code == QLatin1String("E_TYPE_AMBIGUOUS") ||
            (isGap(problem) && !problem.block.isEmpty() && !m_complete.contains(problem.block)))
            problem.severity = kUnfinished;
    }
    // A connection to nowhere keeps the checker from looking for open ports.
    const bool seen = std::none_of(problems.begin(), problems.end(), [](const Problem& problem) {
        return problem.code == QLatin1String("E_BLOCK_UNKNOWN");
    });
    for (const Json& block : list(find(project, kGraph.blocks)))
        if (const QString id = string(block, "id"); seen && !wrong.contains(id) && !m_complete.contains(id))
            m_complete.insert(id, steps);
}

} // namespace weir::editor
