import QtQuick

/// A port on the edge of its block; the canvas handles its events.
Item {
    id: root

    required property string blockId
    required property string name
    required property string type
    required property bool connected
    required property bool output
    property bool showLabel: true
    property bool showType: false
    property bool dimmed: false
    property bool accepting: false
    property color ring: Theme.node

    readonly property int dot: accepting ? 14 : 10

    objectName: "port:" + blockId + "." + name
    opacity: dimmed ? 0.3 : 1
    Accessible.role: Accessible.Graphic
    Accessible.name: output ? qsTr("output %1 of %2, %3").arg(name).arg(blockId).arg(type || qsTr("type open"))
                            : qsTr("input %1 of %2, %3").arg(name).arg(blockId).arg(type || qsTr("type open"))

    Rectangle {
        anchors.centerIn: disc
        width: disc.width + 4
        height: width
        radius: width / 2
        color: root.ring
    }
    Rectangle {
        id: disc
        x: -width / 2
        y: -width / 2
        width: root.dot
        height: width
        radius: width / 2
        color: root.connected ? Theme.typeColor(root.type) : root.ring
        border.width: root.connected ? 0 : 2
        border.color: Theme.typeColor(root.type)
    }
    Text {
        x: root.output ? -14 - width : 14
        anchors.verticalCenter: disc.verticalCenter
        visible: root.showLabel
        text: root.showType && root.type !== "" ? root.name + "  " + root.type : root.name
        textFormat: Text.PlainText
        font.family: Theme.sans
        font.pixelSize: Theme.sizeTiny
        font.weight: Font.Medium
        color: Theme.text2
    }
}
