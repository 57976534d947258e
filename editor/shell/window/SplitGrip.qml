import QtQuick
import QtQuick.Templates as T

/// A line that can be grabbed some pixels beside it.
Rectangle {
    id: root

    implicitWidth: 1
    implicitHeight: 1
    color: T.SplitHandle.hovered || T.SplitHandle.pressed ? Theme.accent : Theme.line
    containmentMask: Item {
        x: -4
        y: -4
        width: root.width + 8
        height: root.height + 8
    }
}
