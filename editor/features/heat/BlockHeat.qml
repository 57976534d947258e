import QtQuick
import Weir

/// What a run measured of a block, around it: a line of numbers below, the outline of the bottleneck, the details for the pointer.
Item {
    id: root

    required property var load ///< an entry of HeatMap.blocks, or null
    required property real zoom
    required property bool detailed
    required property bool hovered
    required property bool stale
    required property real radius

    readonly property bool shown: load !== null

    anchors.fill: parent

    Rectangle {
        anchors.fill: parent
        anchors.margins: -3
        visible: root.shown && root.load.bottleneck
        radius: root.radius + 3
        color: "transparent"
        border.width: 3
        border.color: Theme.heatLines[4]
    }
    BlockText {
        objectName: "heatLine"
        x: 4
        y: root.height + 6
        visible: root.shown && root.detailed
        text: root.shown ? root.load.status : ""
        font.pixelSize: Math.max(Theme.sizeTiny, Math.round(Theme.sizeSmall * root.zoom))
        font.weight: root.shown && root.load.bottleneck ? Font.DemiBold : Font.Normal
        color: root.stale ? Theme.text3 : root.shown && root.load.bottleneck ? Theme.heatLines[4] : Theme.text2
    }
    Hint {
        shown: root.hovered && root.shown
        text: root.shown ? root.load.hint : ""
    }
}
