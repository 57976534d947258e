import QtQuick

/// Text that can be edited in place: its frame appears with the pointer or the keyboard focus.
TextBox {
    id: root

    leftPadding: hovered || activeFocus ? Theme.space2 : 0
    hoverEnabled: true

    background: Rectangle {
        radius: Theme.radiusField
        color: root.activeFocus || root.hovered ? Theme.pane : "transparent"
        border.width: root.activeFocus || root.wrong ? Theme.strokeStrong : root.hovered ? Theme.stroke : 0
        border.color: root.wrong ? Theme.error : root.activeFocus ? Theme.accent : Theme.control
    }
}
