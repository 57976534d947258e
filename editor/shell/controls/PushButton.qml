import QtQuick
import QtQuick.Controls.Basic

/// Button of a bar or a form: text, `icon.name`, or both; `display` chooses.
EnterButton {
    id: root

    property bool primary: false
    property string hint

    readonly property color ink: !enabled ? Theme.control : primary ? Theme.accentText : Theme.text
    readonly property bool bare: display === AbstractButton.IconOnly || text === ""

    implicitHeight: Theme.barControl
    implicitWidth: bare ? implicitHeight : Math.max(primary ? 88 : 0, implicitContentWidth + 2 * Theme.space3)
    font.family: Theme.sans
    font.pixelSize: Theme.sizeBody
    font.weight: primary ? Font.DemiBold : Font.Medium
    Accessible.name: hint || text
    hoverEnabled: true

    Hint {
        shown: root.hovered
        text: root.hint
    }

    contentItem: ButtonFace {
        icon: root.icon.name
        text: root.bare ? "" : root.text
        font: root.font
        color: root.ink
    }
    background: Rectangle {
        radius: Theme.radiusButton
        color: root.primary ? (root.enabled ? Theme.accent : Theme.alt)
                            : root.down || root.hovered ? Theme.alt : "transparent"
        opacity: root.primary && root.down ? 0.85 : 1
        border.width: root.primary || root.flat ? 0 : Theme.stroke
        border.color: Theme.line

        FocusRing { shown: root.visualFocus }
    }
}
