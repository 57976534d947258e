import QtQuick

Rectangle {
    id: root

    property alias text: label.text
    property alias elide: label.elide
    property alias font: label.font
    readonly property bool cut: label.truncated
    property string icon
    property real zoom: 1
    property real room: Infinity ///< pixels; longer text is elided, in the middle unless `elide` is set
    property color foreground: Theme.text2
    property color background: Theme.alt

    implicitWidth: Math.min(room, Math.max(implicitHeight, parts.implicitWidth + Theme.space3 * zoom))
    implicitHeight: Math.round(18 * zoom)
    radius: height / 2
    color: background

    Row {
        id: parts

        anchors.centerIn: parent
        spacing: Theme.space1 * root.zoom

        Icon {
            anchors.verticalCenter: parent.verticalCenter
            visible: root.icon !== ""
            name: root.icon
            color: root.foreground
            size: Math.round(Theme.space3 * root.zoom)
        }
        BlockText {
            id: label

            anchors.verticalCenter: parent.verticalCenter
            width: Math.min(implicitWidth, root.room - Theme.space3 * root.zoom)
            elide: Text.ElideMiddle
            size: Theme.sizeTiny * root.zoom
            font.weight: Font.Medium
            color: root.foreground
        }
    }
}
