import QtQuick
import Weir

/// Labels of the buffers of a worker with a schedule: the size of its arena, and the rings.
Item {
    id: root

    required property var row ///< of a lane

    TinyText {
        x: 128
        y: root.row.arenaRect.y + Theme.space1
        visible: root.row.arenaRect.height > 0
        text: qsTr("arena")
    }
    Rectangle {
        x: root.row.arenaRect.x
        y: root.row.arenaRect.y
        width: root.row.arenaRect.width
        height: root.row.arenaRect.height
        objectName: "arena:" + root.row.worker
        visible: height > 0
        radius: Theme.radiusChip
        color: Theme.canvas
        border.color: Theme.line
    }
    TinyText {
        x: root.row.arenaRect.x + root.row.arenaRect.width + Theme.space2
        y: root.row.arenaRect.y + Theme.space1
        objectName: "arenaSize:" + root.row.worker
        visible: root.row.arenaRect.height > 0
        text: root.row.arena
        font.family: Theme.mono
        color: Theme.text2
    }
    TinyText {
        x: 128
        y: root.row.ringsRect.y + Theme.space1
        visible: root.row.ringsRect.height > 0
        text: qsTr("rings")
    }
}
