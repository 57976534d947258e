import QtQuick
import Weir

/// A port on the edge of its block; the canvas handles its events.
Item {
    id: root

    required property var modelData
    required property GraphView view
    required property string blockId
    required property color fill
    required property bool detailed
    required property bool hovered
    required property bool output

    readonly property real zoom: view.zoom
    readonly property string name: modelData.name
    readonly property string type: modelData.type
    readonly property bool connecting: view.connecting
    readonly property var acceptingPorts: view.acceptingPorts
    readonly property bool accepting: connecting && acceptingPorts.includes(blockId + (output ? ">" : "<") + name)

    objectName: "port:" + blockId + "." + name
    y: Math.round(modelData.y * zoom)
    opacity: connecting && !accepting ? 0.3 : 1
    Accessible.role: Accessible.Graphic
    Accessible.name: output ? qsTr("output %1 of %2, %3").arg(name).arg(blockId).arg(type || qsTr("type open"))
                            : qsTr("input %1 of %2, %3").arg(name).arg(blockId).arg(type || qsTr("type open"))

    Rectangle {
        anchors.centerIn: disc
        width: disc.width + 4
        height: width
        radius: width / 2
        visible: root.detailed
        color: root.fill
    }
    Rectangle {
        id: disc
        x: -width / 2
        y: -width / 2
        width: 2 * Math.round((root.accepting ? 7 : 5) * Math.max(root.zoom, 0.4))
        height: width
        radius: width / 2
        color: root.modelData.connected ? Theme.typeColor(root.type) : root.fill
        border.width: root.modelData.connected ? 0 : 2
        border.color: Theme.typeColor(root.type)
    }
    BlockText {
        x: root.output ? -Math.round(14 * root.zoom) - width : Math.round(14 * root.zoom)
        anchors.verticalCenter: disc.verticalCenter
        visible: root.detailed
        text: root.hovered && root.type !== "" ? root.name + "  " + root.type : root.name
        size: Theme.sizeTiny * root.zoom
        font.weight: Font.Medium
    }
}
