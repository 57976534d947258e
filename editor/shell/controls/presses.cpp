#include "shell/controls/presses.h"

#include <QCoreApplication>
#include <QEvent>

namespace weir::editor {

Presses::Presses(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

bool Presses::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    const bool isPress = type == QEvent::MouseButtonPress || type == QEvent::TouchBegin || type == QEvent::KeyPress;
    // Each press reaches the window first, and then its items.
    if (isPress && watched->isWindowType()) {
        m_byKey = type == QEvent::KeyPress;
        emit pressed();
    }
    return false;
}

} // namespace weir::editor
