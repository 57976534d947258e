#pragma once

#include <QString>

namespace weir::editor {

/// What is otherwise now than in a run of a deployment, by the essences of its project, in words: `other graph, deployment
/// flow was changed`. Deployments that it did not run are none of it. Empty: nothing.
QString otherParts(const QString& was, const QString& is, const QString& deployment);

/// The same, where something is, for a place with little room.
QString otherPartsInShort(const QString& was, const QString& is);

}  // namespace weir::editor
