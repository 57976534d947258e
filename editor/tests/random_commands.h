#pragma once

#include "core/catalog/catalog.h"
#include "core/document/document.h"

#include <QRandomGenerator>
#include <QStringList>

namespace weir::editor {

/// One random edit of the document, of any kind that the window offers; some are refused, as a user's would be.
/// Returns which kind it was.
QString randomCommand(Document& document, QRandomGenerator& random, const Catalog& catalog);

/// Every kind that there is. "refused" is the one that never changes the document.
QStringList randomCommandKinds();

} // namespace weir::editor
