pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Mark of a block's workers on the canvas: a strip on its upper edge and their name.
Item {
    id: root

    required property string role ///< role of the block model with the workers

    readonly property BlockItem block: parent as BlockItem
    readonly property var workers: block?.model[role] ?? null
    readonly property var colours: workers?.colours ?? [] ///< colour numbers of its workers
    readonly property real zoom: block?.letters ?? 1
    /// Colour of the name, one of these colours.
    property int main: colours[0] ?? 0

    width: parent?.width ?? 0

    Row {
        id: strip

        readonly property real part: width / Math.max(root.colours.length, 1)

        x: Math.round(10 * root.zoom)
        y: -Math.round(2 * root.zoom)
        width: parent.width - 2 * x

        Repeater {
            model: root.colours

            Rectangle {
                required property int modelData

                width: strip.part
                height: Math.max(3, Math.round(4 * root.zoom))
                radius: height / 2
                color: Theme.laneColor(modelData)
            }
        }
    }
    Pill {
        objectName: "laneMark:" + (root.block?.blockId ?? "")
        zoom: root.zoom
        anchors.horizontalCenter: parent.right
        anchors.horizontalCenterOffset: -Math.round(24 * root.zoom)
        y: -Math.round(12 * root.zoom)
        text: root.workers?.label ?? ""
        foreground: Theme.chipText
        background: Theme.laneColor(root.main)
        Accessible.name: qsTr("runs on %1").arg(root.workers?.names ?? "")
    }
}
