#pragma once

#include "core/catalog/catalog.h"

#include <QString>

#include <vector>

namespace weir::editor {

struct FoundBlock {
    const BlockType* type = nullptr;
    QString because =
        {};  ///< the keyword, name of GNU Radio or word of the documentation that was meant; empty where its own name says it

    bool operator==(const FoundBlock&) const = default;
};

/// The blocks that what was typed may mean, the best first: its whole name, then the beginnings of words of its name, of
/// its keywords or of what GNU Radio calls it, of its documentation. Only where there is none of these: some of the words,
/// and, last, letters in that order. Equally good ones stay in the order of `types`; nothing typed finds all of them.
std::vector<FoundBlock> findBlocks(const QString& typed, const std::vector<const BlockType*>& types);

}  // namespace weir::editor
