import QtQuick
import QtQuick.Controls.Basic

/// Scroll bar that is visible while the content does not fit, and more so under the pointer.
ScrollBar {
    id: root

    padding: Theme.stroke

    contentItem: Rectangle {
        implicitWidth: Theme.scrollBar
        implicitHeight: Theme.scrollBar
        radius: Theme.scrollBar / 2
        color: root.pressed || root.hovered ? Theme.text3 : Theme.control
        opacity: root.size >= 1 ? 0 : root.pressed || root.hovered ? 1 : 0.5
    }
}
