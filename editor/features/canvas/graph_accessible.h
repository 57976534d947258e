#pragma once

#include <QAccessibleInterface>

namespace weir::editor {

class GraphReader;

/// Factory for QAccessible::installFactory: returns the list of a GraphReader, and null for other objects.
QAccessibleInterface* graphAccessible(const QString& className, QObject* object);

/// Return the interface of a block, a wire or an announcement by its key. The caller that registers it owns it.
QAccessibleInterface* partAccessible(GraphReader& reader, const QString& key);

} // namespace weir::editor
