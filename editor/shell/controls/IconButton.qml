import QtQuick
import QtQuick.Controls.Basic

/// A quiet button that shows one glyph; its name is said in the hint.
AbstractButton {
    id: root

    required property string hint

    implicitWidth: 28
    implicitHeight: 28
    hoverEnabled: true
    focusPolicy: Qt.TabFocus
    Accessible.name: hint

    Keys.onReturnPressed: clicked()
    Keys.onEnterPressed: clicked()

    Hint {
        shown: root.hovered
        text: root.hint
    }

    contentItem: PlainText {
        text: root.text
        font.pixelSize: Theme.sizeBody
        color: !root.enabled ? Theme.control : root.hovered || root.down ? Theme.text : Theme.text2
        horizontalAlignment: Text.AlignHCenter
        verticalAlignment: Text.AlignVCenter
    }
    background: Rectangle {
        radius: Theme.radiusField
        color: root.enabled && (root.hovered || root.down) ? Theme.alt : "transparent"

        FocusRing { shown: root.visualFocus }
    }
}
