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
        anchors.margins: -Theme.ringWidth
        visible: root.bottleneck
        radius: root.radius + Theme.ringWidth
        color: "transparent"
        border.width: Theme.ringWidth
        border.color: Theme.heatLines[4]
    }
    BlockText {
        objectName: "heatLine"
        x: Theme.space1
        y: root.height + Theme.space1 + Theme.strokeStrong
        // Into the gap beside the block, but not into the numbers of the next one.
        width: root.width + Theme.space6
        wrapMode: Text.Wrap
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
