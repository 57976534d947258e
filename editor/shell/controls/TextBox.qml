import QtQuick
import QtQuick.Controls.Basic

TextField {
    id: root

    property bool wrong: false

    implicitHeight: Theme.fieldControl
    leftPadding: Theme.space2
    rightPadding: Theme.space2
    topPadding: 0
    bottomPadding: 0
    verticalAlignment: TextInput.AlignVCenter
    font.family: Theme.mono
    font.pixelSize: Theme.sizeSmall
    color: Theme.text
    placeholderTextColor: Theme.text3
    selectByMouse: true
    selectionColor: Theme.accent
    selectedTextColor: Theme.accentText
    renderType: Text.NativeRendering

    // Show the beginning of a text that does not fit.
    onTextChanged: if (!activeFocus) cursorPosition = 0

    background: Rectangle {
        radius: Theme.radiusField
        color: Theme.pane
        border.width: root.activeFocus || root.wrong ? Theme.strokeStrong : Theme.stroke
        border.color: root.wrong ? Theme.error : root.activeFocus ? Theme.accent : Theme.control
    }
}
