import QtQuick
import Weir

/// Numbers of a run around a block: as many below as fit, the outline of the bottleneck, and details on hover.
Item {
    id: root

    required property bool stale

    readonly property BlockItem block: parent as BlockItem
    readonly property var load: block?.model.load ?? null
    readonly property bool bottleneck: load?.bottleneck ?? false
    readonly property string hint: load?.hint ?? ""
    readonly property string comment: block?.comment ?? ""
    readonly property real radius: block?.radius ?? 0

    anchors.fill: parent
    visible: block?.measured ?? false

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
        // No wider than the block, to keep the gap between the numbers of neighbours.
        width: root.width
        elide: Text.ElideRight
        text: (root.load?.facts ?? []).reduce((shown, fact) => {
            const longer = shown === "" ? fact : shown + " · " + fact
            return shown === "" || metrics.advanceWidth(longer) <= width ? longer : shown
        }, "")
        font.pixelSize: Math.max(Theme.sizeTiny, Math.round(Theme.sizeSmall * (root.block?.letters ?? 1)))
        font.weight: root.bottleneck ? Font.DemiBold : Font.Normal
        color: root.stale ? Theme.text3 : root.bottleneck ? Theme.heatLines[4] : Theme.text2
    }
    Hint {
        shown: root.visible && (root.block?.hovered ?? false)
        // The hint covers the comment, so it repeats it.
        text: root.comment === "" ? root.hint : root.hint + "\n\n" + root.comment
    }
}
