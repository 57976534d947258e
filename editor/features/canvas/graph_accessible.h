#pragma once

#include <QAccessibleInterface>

namespace weir::editor {

class GraphReader;

/// For QAccessible::installFactory: the list of a GraphReader; null for anything else.
QAccessibleInterface* graphAccessible(const QString& className, QObject* object);

/// A block, a wire, or what is said, by its key; who registers it owns it.
QAccessibleInterface* partAccessible(GraphReader& reader, const QString& key);

} // namespace weir::editor
