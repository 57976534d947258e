import QtQuick
import QtQuick.Controls.Basic

/// Flat button with the icon `icon.name`; the hint shows its text.
AbstractButton {
    id: root

    required property string hint

    implicitWidth: Theme.fieldControl
    implicitHeight: Theme.fieldControl
    hoverEnabled: true
    focusPolicy: Qt.TabFocus
    font.family: Theme.sans
    font.pixelSize: Theme.sizeBody
    Accessible.name: hint

    Keys.onReturnPressed: clicked()
    Keys.onEnterPressed: clicked()

    Hint {
        shown: root.hovered
        text: root.hint
    }

    contentItem: ButtonFace {
        icon: root.icon.name
        text: root.text
        font: root.font
        color: !root.enabled ? Theme.control : root.hovered || root.down ? Theme.text : Theme.text2
    }
    background: Rectangle {
        radius: Theme.radiusField
        color: root.enabled && (root.hovered || root.down) ? Theme.alt : "transparent"

        FocusRing { shown: root.visualFocus }
    }
}
