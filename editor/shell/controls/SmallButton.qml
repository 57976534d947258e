import QtQuick

/// A quiet button inside of a pane.
EnterButton {
    id: root

    property string hint

    implicitHeight: 24
    implicitWidth: implicitContentWidth + 16
    hoverEnabled: true
    font.family: Theme.sans
    font.pixelSize: Theme.sizeSmall
    Accessible.name: hint === "" ? text : text + ": " + hint

    Hint {
        shown: root.hovered
        text: root.hint
    }

    contentItem: PlainText {
        text: root.text
        font: root.font
        color: !root.enabled ? Theme.control : root.checked ? Theme.accent : root.hovered ? Theme.text : Theme.text2
        horizontalAlignment: Text.AlignHCenter
        verticalAlignment: Text.AlignVCenter
    }
    background: Rectangle {
        radius: Theme.radiusField
        color: root.checked ? Theme.selectedRow : root.down || root.hovered ? Theme.alt : "transparent"
        border.width: root.checked ? 1 : 0
        border.color: Theme.accent

        FocusRing {
            anchors.margins: -2
            shown: root.visualFocus
        }
    }
}
