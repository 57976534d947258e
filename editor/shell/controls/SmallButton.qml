import QtQuick

/// Flat button inside a pane: text, `icon.name`, or both. It has a frame if it stands among text.
EnterButton {
    id: root

    property string hint
    property bool framed: false
    property color foreground: Theme.text2

    implicitHeight: Theme.smallControl
    implicitWidth: implicitContentWidth + Theme.space4
    hoverEnabled: true
    font.family: Theme.sans
    font.pixelSize: Theme.sizeSmall
    Accessible.name: hint === "" ? text : text === "" ? hint : text + ": " + hint

    Hint {
        shown: root.hovered
        text: root.hint
    }

    contentItem: ButtonFace {
        icon: root.icon.name
        text: root.text
        font: root.font
        color: !root.enabled ? Theme.control : root.checked ? Theme.accent : root.hovered ? Theme.text : root.foreground
    }
    background: Rectangle {
        radius: Theme.radiusField
        color: root.checked ? Theme.selectedRow : root.down || root.hovered ? Theme.alt : "transparent"
        border.width: root.checked || root.framed ? Theme.stroke : 0
        border.color: root.checked ? Theme.accent : Theme.control

        FocusRing {
            anchors.margins: -Theme.strokeStrong
            shown: root.visualFocus
        }
    }
}
