import QtQuick

Rectangle {
    id: root

    property alias text: label.text
    property real zoom: 1
    property color foreground: Theme.text2
    property color background: Theme.alt

    implicitWidth: Math.max(implicitHeight, label.implicitWidth + 12 * zoom)
    implicitHeight: Math.round(18 * zoom)
    radius: height / 2
    color: background

    BlockText {
        id: label
        anchors.centerIn: parent
        size: Theme.sizeTiny * root.zoom
        font.weight: Font.Medium
        color: root.foreground
    }
}
