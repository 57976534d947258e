import QtQuick
import QtQuick.Templates as T

/// Line of a splitter that can also be grabbed a few pixels beside it.
Rectangle {
    id: root

    implicitWidth: 1
    implicitHeight: 1
    color: T.SplitHandle.hovered || T.SplitHandle.pressed ? Theme.accent : Theme.line
    containmentMask: Item {
        x: -Theme.space1
        y: -Theme.space1
        width: root.width + Theme.space2
        height: root.height + Theme.space2
    }
}
