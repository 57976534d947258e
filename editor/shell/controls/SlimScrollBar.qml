import QtQuick
import QtQuick.Controls.Basic

/// Where one is in what is longer than its room: there as long as it is longer, stronger under the pointer.
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
