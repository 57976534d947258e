import QtQuick
import Weir

/// What a run measured of a block, around it: as many of its numbers below as have room, the outline of the bottleneck, the details for the
/// pointer.
Item {
    id: root

    required property var facts ///< what matters most first
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
    FontMetrics {
        id: metrics
        font: words.font
    }
    BlockText {
        id: words

        objectName: "heatLine"
        x: Theme.space1
        y: root.height + Theme.space1 + Theme.strokeStrong
        // No wider than the block, so that the gap to the next one is between their numbers too.
        width: root.width
        elide: Text.ElideRight
        text: root.facts.reduce((shown, fact) => {
            const longer = shown === "" ? fact : shown + " · " + fact
            return shown === "" || metrics.advanceWidth(longer) <= width ? longer : shown
        }, "")
        font.pixelSize: Math.max(Theme.sizeTiny, Math.round(Theme.sizeSmall * root.zoom))
        font.weight: root.bottleneck ? Font.DemiBold : Font.Normal
        color: root.stale ? Theme.text3 : root.bottleneck ? Theme.heatLines[4] : Theme.text2
    }
    Hint {
        shown: root.hovered
        text: root.hint
    }
}
