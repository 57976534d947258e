#pragma once

#include "core/decor/decor.h"
#include "core/document/patch.h"

namespace weir::editor::decor {

// Edits of frames, notes and wire points. They throw EditRefused if the file's structure does not allow them.

/// Returns the key of the new part.
std::string addFrame(Transaction& transaction, const QString& title, QRectF rect);
std::string addNote(Transaction& transaction, const QString& text, QRectF rect);
void setTitle(Transaction& transaction, const std::string& frame, const QString& title);
void setText(Transaction& transaction, const std::string& note, const QString& text);
void setColour(Transaction& transaction, const DecorId& part, const QString& colour);
void setRect(Transaction& transaction, const DecorId& part, QRectF rect);
void setPoints(Transaction& transaction, const std::string& wire, const QList<QPointF>& points);
/// Removing the last part of a kind removes the empty list, too: the file is as before the first was added.
void remove(Transaction& transaction, const std::set<DecorId>& parts);
/// Removes the points of connections that are being removed.
void removePoints(Transaction& transaction, const std::vector<Connection>& connections);
void move(Transaction& transaction, const std::set<DecorId>& parts, QPointF offset);
void setComment(Transaction& transaction, const std::string& block, const QString& comment);

} // namespace weir::editor::decor
