import QtQuick
import Weir

/// A port on the edge of its block; the canvas handles its events.
Item {
    id: root

    required property int index
    required property var port ///< null between two blocks
    required property GraphView view
    required property real zoom
    required property real letters
    required property string blockId
    required property color fill
    required property bool labelled ///< true if its name fits
    required property real room     ///< for the name, in pixels
    required property bool hovered
    required property bool output

    readonly property string name: port?.name ?? ""
    readonly property string type: port?.type ?? ""
    readonly property bool connecting: view.connecting
    readonly property var acceptingPorts: view.acceptingPorts
    readonly property bool accepting: connecting && acceptingPorts.includes(blockId + (output ? ">" : "<") + name)

    objectName: "port:" + blockId + "." + name
    y: Math.round((port?.y ?? 0) * zoom)
    opacity: connecting && !accepting ? 0.3 : 1

    PortMark {
        id: disc

        // An even number of pixels centres it on the edge of the block.
        width: 2 * Math.round((root.accepting ? 11 : 9) * Math.min(Math.max(root.zoom, 0.75), 1.6))
        height: width
        x: -width / 2
        y: -height / 2
        type: root.type
        color: Theme.typeColor(root.type)
        fill: root.fill
        connected: root.port?.connected ?? false
    }
    BlockText {
        readonly property int away: Math.round(14 * Math.max(root.zoom, 0.75))

        x: root.output ? -away - width : away
        anchors.verticalCenter: disc.verticalCenter
        width: Math.min(implicitWidth, root.room)
        visible: root.labelled
        text: root.hovered && root.type !== "" ? root.name + "  " + root.type : root.name
        elide: Text.ElideRight
        size: Theme.sizeTiny * root.letters
        font.weight: Font.Medium
    }
}
