#include "features/palette/likely_blocks.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace weir::editor {
namespace {

struct InsertText {
    Q_DECLARE_TR_FUNCTIONS(BlockInserter)
};

int timesFollowed(const BlockType* type, const std::string& by) {
    if (!type) return 0;
    const auto it = type->followers.find(by);
    return it == type->followers.end() ? 0 : it->second;
}

QString titleOf(const Catalog& catalog, const std::string& id) {
    const BlockType* type = catalog.block(id);
    return QString::fromStdString(type ? type->title : id);
}

/// Count how often the examples use each type behind any other: type -> count.
std::map<std::string, int> timesUsed(const Catalog& catalog) {
    std::map<std::string, int> used;
    for (const BlockType& type : catalog.blocks())
        for (const auto& [follower, times] : type.followers) used[follower] += times;
    return used;
}

struct Likelihood {
    bool fits = false;
    int after = 0;
    int before = 0;
    bool favourite = false;
    int recent = 0; ///< higher for later use
    int used = 0;   ///< number of uses in the examples behind any block; 0 if the new block follows none

    auto order() const { return std::tuple(fits, after + before, favourite, recent, used); }
};

QString reason(const Likelihood& likely, const Catalog& catalog, const InsertPlace& place) {
    if (likely.after > 0) return InsertText::tr("often after %1").arg(titleOf(catalog, place.after));
    if (likely.before > 0) return InsertText::tr("often before %1").arg(titleOf(catalog, place.before));
    if (likely.recent > 0) return InsertText::tr("recent");
    if (likely.favourite) return InsertText::tr("favourite");
    // Without a single wanted type, fitting is no reason to name.
    if (likely.fits && place.wanted.size() == 1)
        return InsertText::tr("fits %1").arg(QString::fromStdString(place.wanted.front()));
    return {};
}

} // namespace

std::vector<FoundBlock> likelyBlocks(const std::vector<const BlockType*>& types, const Catalog& catalog,
                                     const InsertPlace& place, const QStringList& favourites,
                                     const QStringList& recent) {
    // If no example has the preceding block, what usually follows other blocks is the best guess.
    auto everywhere = place.after.empty() ? std::map<std::string, int>() : timesUsed(catalog);
    std::vector<std::pair<Likelihood, const BlockType*>> all;
    for (const BlockType* type : types) {
        const QString id = QString::fromStdString(type->id);
        const bool fits = place.fitting.contains(type->id);
        // A neighbour is recent because it was just placed. That does not make it likely to follow itself.
        const bool neighbour = type->id == place.after || type->id == place.before;
        const auto used = neighbour ? -1 : recent.indexOf(id);
        if (fits || !place.onlyFitting)
            all.push_back({{fits, fits ? timesFollowed(catalog.block(place.after), type->id) : 0,
                            fits ? timesFollowed(type, place.before) : 0, favourites.contains(id),
                            used < 0 ? 0 : static_cast<int>(recent.size() - used), fits ? everywhere[type->id] : 0},
                           type});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return b.first.order() < a.first.order(); });
    std::vector<FoundBlock> result;
    for (const auto& [likely, type] : all) result.push_back({type, reason(likely, catalog, place)});
    return result;
}

} // namespace weir::editor
