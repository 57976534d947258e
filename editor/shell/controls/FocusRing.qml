import QtQuick

/// Keyboard focus, drawn just outside its parent.
Rectangle {
    property bool shown: false

    anchors.fill: parent
    anchors.margins: -3
    visible: shown
    radius: 8
    color: "transparent"
    border.width: 2
    border.color: Theme.accent
}
