import QtQuick
import Weir

/// What a run measured of a block, around it: a line of numbers below, the outline of the bottleneck, the details for the
/// pointer.
Item {
    id: root

    required property string line
    required property string hint
    required property bool bottleneck
    required property real zoom
    required property bool hovered
    required property bool stale
    required property real radius

    anchors.fill: parent

    Rectangle {
        anchors.fill: parent
        anchors.margins: -3
        visible: root.bottleneck
        radius: root.radius + 3
        color: "transparent"
        border.width: 3
        border.color: Theme.heatLines[4]
    }
    BlockText {
        objectName: "heatLine"
        x: 4
        y: root.height + 6
        text: root.line
        font.pixelSize: Math.max(Theme.sizeTiny, Math.round(Theme.sizeSmall * root.zoom))
        font.weight: root.bottleneck ? Font.DemiBold : Font.Normal
        color: root.stale ? Theme.text3 : root.bottleneck ? Theme.heatLines[4] : Theme.text2
    }
    Hint {
        shown: root.hovered
        text: root.hint
    }
}
