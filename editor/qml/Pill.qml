import QtQuick

Rectangle {
    property alias text: label.text
    property color foreground: Theme.text2
    property color background: Theme.alt

    implicitWidth: Math.max(18, label.implicitWidth + 12)
    implicitHeight: 18
    radius: 9
    color: background

    Text {
        id: label
        anchors.centerIn: parent
        textFormat: Text.PlainText
        font.family: Theme.sans
        font.pixelSize: Theme.sizeTiny
        font.weight: Font.Medium
        color: parent.foreground
    }
}
