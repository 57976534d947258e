#pragma once

#include "core/catalog/catalog.h"

#include <QString>

#include <vector>

namespace weir::editor {

struct FoundBlock {
    const BlockType* type = nullptr;
    QString because =
        {};  ///< the keyword, GNU Radio name or word of the documentation that matched; empty if its own name did

    bool operator==(const FoundBlock&) const = default;
};

/// Return the blocks that match the typed text, the best first: a whole name, then beginnings of words of the name, of
/// keywords or GNU Radio names, of the documentation. Without any such match: some of the words, and last, letters in
/// that order. Equal matches stay in the order of `types`; empty text matches all.
std::vector<FoundBlock> findBlocks(const QString& typed, const std::vector<const BlockType*>& types);

}  // namespace weir::editor
