#include "features/files/exchange_report.h"

#include "core/text/prose.h"

#include <utility>

namespace weir::editor {
namespace {

QString qtext(const Json* value) { return QString::fromStdString(text(value)); }

} // namespace

void ExchangeReport::show(const QString& title, const Json& answer, bool isHosted) {
    std::vector<ReportLine> lines;
    // Parts that need attention come first.
    const std::pair<const char*, QString> outcomes[] = {
        {"dropped", tr("Left out")},
        {"stubbed", tr("Stubbed: has no counterpart. It keeps its parameters and wires, but cannot run")},
        {"replaced", tr("Replaced by something else")},
        {"kept", isHosted ? tr("Kept: GNU Radio runs it itself") : tr("Kept: computes the same result")}};
    for (auto [outcome, heading] : outcomes)
        for (const Json& entry : list(member(answer, outcome))) {
            const Json& became = list(member(entry, "became"));
            const bool isBlock = text(member(entry, "kind")) == "block";
            lines.push_back({QLatin1String(outcome), std::exchange(heading, {}), qtext(member(entry, "name")),
                             qtext(member(entry, "type")), prose(entry, "reason"),
                             isBlock && !became.empty() ? qtext(&became.back()) : QString()});
        }
    m_lines.setRows({}); // forces a reset of the list
    m_lines.setRows(std::move(lines));
    const auto count = [&answer](const char* outcome) { return list(member(answer, outcome)).size(); };
    m_title = title;
    m_counts = tr("%1 kept · %2 replaced · %3 stubbed · %4 left out")
                   .arg(count("kept"))
                   .arg(count("replaced"))
                   .arg(count("stubbed"))
                   .arg(count("dropped"));
    emit changed();
}

} // namespace weir::editor
