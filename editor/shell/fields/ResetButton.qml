import QtQuick

/// Takes a field back to its default. Tab passes it by, to the next value: Enter there would reset.
IconButton {
    property string defaultValue

    width: 24
    icon.name: "reset"
    hint: (defaultValue === "" ? qsTr("Reset to default") : qsTr("Reset to default: %1").arg(defaultValue))
          + qsTr(" (Ctrl+Shift+Backspace in the field)")
    focusPolicy: Qt.NoFocus
    Accessible.onPressAction: clicked()
}
