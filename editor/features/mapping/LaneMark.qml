pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// The workers of a block on the canvas: a strip on its upper edge and their name.
Item {
    id: root

    required property MappingController mapping
    required property string block
    required property real zoom
    required property bool detailed

    readonly property var workers: mapping.blockColours[block] ?? null

    visible: workers !== null

    Row {
        id: strip

        readonly property real part: root.workers ? width / root.workers.colours.length : 0

        x: Math.round(10 * root.zoom)
        y: -Math.round(2 * root.zoom)
        width: parent.width - 2 * x

        Repeater {
            model: root.workers ? root.workers.colours : []

            Rectangle {
                required property int modelData

                width: strip.part
                height: Math.max(3, Math.round(4 * root.zoom))
                radius: 2
                color: Theme.laneColor(modelData)
            }
        }
    }
    Pill {
        objectName: "laneMark:" + root.block
        zoom: root.zoom
        anchors.horizontalCenter: parent.right
        anchors.horizontalCenterOffset: -Math.round(24 * root.zoom)
        y: -Math.round(12 * root.zoom)
        visible: root.workers !== null && root.detailed
        text: root.workers ? root.workers.label : ""
        foreground: Theme.chipText
        background: root.workers ? Theme.laneColor(root.workers.colours[0]) : Theme.alt
        Accessible.name: root.workers ? qsTr("runs on %1").arg(root.workers.workers) : ""
    }
}
