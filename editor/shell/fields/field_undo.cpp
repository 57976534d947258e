#include "shell/fields/field_undo.h"

#include <QKeyEvent>
#include <QQuickItem>

namespace weir::editor {
namespace {

/// `which`: canUndo or canRedo. If the field's text equals the document's value, it was committed: the document undoes
/// it.
bool isOfField(const QQuickItem& field, const char* which) {
    const QVariant stored = field.property("value");
    return field.property(which).toBool() && (!stored.isValid() || stored != field.property("text"));
}

} // namespace

void FieldUndo::setWindow(QQuickWindow* window) {
    if (m_window == window) return;
    if (m_window) m_window->removeEventFilter(this);
    m_window = window;
    if (window) window->installEventFilter(this);
    emit windowChanged();
}

bool FieldUndo::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride || watched != m_window) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const char* which = key->matches(QKeySequence::Undo)   ? "canUndo"
                        : key->matches(QKeySequence::Redo) ? "canRedo"
                                                           : nullptr;
    const QQuickItem* field = which ? m_window->activeFocusItem() : nullptr;
    if (!field || !field->property(which).isValid() || isOfField(*field, which)) return false;
    event->ignore(); // treat it as a shortcut
    return true;
}

} // namespace weir::editor
