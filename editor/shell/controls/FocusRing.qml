import QtQuick

/// Keyboard focus, drawn just outside its parent.
Rectangle {
    property bool shown: false

    anchors.fill: parent
    anchors.margins: -Theme.focusGap
    visible: shown
    radius: Theme.radiusNode
    color: "transparent"
    border.width: Theme.strokeStrong
    border.color: Theme.accent
}
