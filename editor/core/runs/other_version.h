#pragma once

#include <QString>

namespace weir::editor {

/// Which parts of two essences differ, in words: `other graph, deployment flow`.
QString otherParts(const QString &was, const QString &is);

/// The same for a place with little room: without names of deployments.
QString otherPartsInShort(const QString &was, const QString &is);

} // namespace weir::editor
