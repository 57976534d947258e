#include "features/code/source_map.h"

#include <algorithm>

namespace weir::editor {
namespace {

int lineNumber(const Json* value) { return value && value->is_number_integer() ? value->get<int>() : 0; }

} // namespace

bool SourceRegion::isOfSeveral() const {
    static const QSet<QString> kinds{QStringLiteral("worker"), QStringLiteral("job"), QStringLiteral("loop")};
    return kinds.contains(kind);
}

SourceMap::SourceMap(const Json& document) {
    for (const Json& entry : list(member(document, "regions"))) {
        SourceRegion region{lineNumber(member(entry, "first_line")),
                            lineNumber(member(entry, "last_line")),
                            string(entry, "kind"),
                            string(entry, "name"),
                            strings(member(entry, "blocks")),
                            strings(member(entry, "instances"))};
        if (region.firstLine >= 1 && region.lastLine >= region.firstLine)
            m_regions[string(entry, "file")].push_back(std::move(region));
    }
}

const std::vector<SourceRegion>& SourceMap::regions(const QString& file) const {
    static const std::vector<SourceRegion> none;
    const auto it = m_regions.constFind(file);
    return it == m_regions.constEnd() ? none : *it;
}

const SourceRegion* SourceMap::regionAt(const QString& file, int line) const {
    const SourceRegion* found = nullptr;
    for (const SourceRegion& region : regions(file))
        if (region.firstLine <= line && line <= region.lastLine &&
            (!found || region.lastLine - region.firstLine <= found->lastLine - found->firstLine))
            found = &region;
    return found;
}

std::vector<int> SourceMap::linesOf(const QString& file, const QSet<QString>& blocks) const {
    std::vector<int> lines;
    for (const SourceRegion& region : regions(file)) {
        const bool touched = std::any_of(region.blocks.begin(), region.blocks.end(),
                                         [&blocks](const QString& block) { return blocks.contains(block); });
        if (!touched || region.isOfSeveral()) continue;
        for (int line = region.firstLine; line <= region.lastLine; ++line) lines.push_back(line);
    }
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
}

int SourceMap::declarationOf(const QString& file, const QString& block) const {
    for (const SourceRegion& region : regions(file))
        if (region.kind == QLatin1String("block") && region.blocks.contains(block)) return region.firstLine;
    return 0;
}

} // namespace weir::editor
