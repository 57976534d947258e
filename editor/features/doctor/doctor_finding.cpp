#include "features/doctor/doctor_finding.h"

#include "core/text/prose.h"

namespace weir::editor {

std::optional<std::vector<DoctorFinding>> findingsFor(const Json& answer, const QString& deployment) {
    const Json* all = member(answer, "findings");
    if (!all || !all->is_array()) return {};
    std::vector<DoctorFinding> found;
    for (const Json& entry : *all) {
        const QString severity = string(entry, "severity");
        if (severity != QLatin1String("broken") && severity != QLatin1String("noisy")) continue;
        const Json& concerns = list(member(entry, "concerns"));
        QString why;
        for (const Json& concern : concerns)
            if (string(concern, "deployment") == deployment) why = prose(concern, "message");
        if (why.isEmpty() && !concerns.empty()) continue;
        DoctorFinding finding{
            string(entry, "title"), severity, prose(entry, "message"), why.isEmpty() ? prose(entry, "why") : why, {},
            prose(entry, "remedy")};
        for (const Json& command : list(member(entry, "commands")))
            finding.commands.append(QString::fromStdString(text(&command)));
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace weir::editor
