#pragma once

#include "core/catalog/catalog.h"
#include "core/document/document.h"

#include <QRandomGenerator>
#include <QStringList>

namespace weir::editor {

/// Makes one random edit, of any kind that the window offers. Some edits are refused, like some edits of a user.
/// Returns the kind of the edit.
QString randomCommand(Document& document, QRandomGenerator& random, const Catalog& catalog);

/// Return all kinds of edits. Only "refused" never changes the document.
QStringList randomCommandKinds();

} // namespace weir::editor
