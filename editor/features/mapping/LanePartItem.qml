import QtQuick
import Weir

/// Loop with its number of repetitions, a place in an arena, or a ring to other workers.
Rectangle {
    id: root

    required property string kind
    required property string key
    required property string title
    required property string detail
    required property string text
    required property bool shared
    required property bool selected
    required property rect rect

    readonly property bool isLoop: kind === "loop"

    objectName: key
    x: rect.x
    y: rect.y
    width: rect.width
    height: rect.height
    radius: isLoop || kind === "ring" ? height / 2 : Theme.radiusChip
    color: selected ? Theme.selectedRow : isLoop ? Theme.alt : Theme.node
    border.width: isLoop ? 0 : selected ? Theme.strokeStrong : Theme.stroke
    border.color: selected ? Theme.accent : Theme.nodeBorder
    Accessible.role: Accessible.ListItem
    Accessible.name: isLoop ? qsTr("%1, %2").arg(title).arg(text.replace(/\n/g, ", ")) : text.replace(/\n/g, ", ")
    Accessible.selected: selected

    // Bytes that several streams use in turn.
    Rectangle {
        x: Theme.stroke
        y: parent.height - height - Theme.stroke
        width: parent.width - 2 * x
        height: Theme.strokeStrong
        visible: root.shared
        color: Theme.fillLines[2]
    }
    TinyText {
        id: name

        x: root.isLoop ? (parent.width - width) / 2 : Theme.space2
        anchors.verticalCenter: parent.verticalCenter
        width: Math.min(implicitWidth, root.width - (root.isLoop ? 0 : 2 * Theme.space2) - (size.visible ? size.width + Theme.space2 : 0))
        visible: root.isLoop || root.width >= 40
        text: root.title
        elide: root.width < 120 ? Text.ElideRight : Text.ElideMiddle
        font.family: root.isLoop ? Theme.mono : Theme.sans
        font.weight: root.isLoop ? Font.DemiBold : Font.Normal
        color: Theme.text
    }
    TinyText {
        id: size

        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        anchors.verticalCenter: parent.verticalCenter
        visible: !root.isLoop && root.width >= implicitWidth + 90
        text: root.detail
        font.family: Theme.mono
        color: Theme.text2
    }
}
