import QtQuick

EnterButton {
    id: root

    property bool primary: false
    property string hint

    implicitHeight: Theme.barControl
    implicitWidth: Math.max(primary ? 88 : 0, implicitContentWidth + 28)
    font.family: Theme.sans
    font.pixelSize: Theme.sizeBody
    font.weight: Font.DemiBold
    Accessible.name: hint || text
    hoverEnabled: true

    Hint {
        shown: root.hovered
        text: root.hint
    }

    contentItem: PlainText {
        text: root.text
        font: root.font
        color: !root.enabled ? Theme.control : root.primary ? Theme.accentText : Theme.text
        horizontalAlignment: Text.AlignHCenter
        verticalAlignment: Text.AlignVCenter
    }
    background: Rectangle {
        radius: Theme.radiusButton
        color: root.primary ? (root.enabled ? Theme.accent : Theme.alt)
                            : root.down || root.hovered ? Theme.alt : "transparent"
        opacity: root.primary && root.down ? 0.85 : 1
        border.width: root.primary || root.flat ? 0 : 1
        border.color: Theme.line

        FocusRing { shown: root.visualFocus }
    }
}
