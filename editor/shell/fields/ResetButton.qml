import QtQuick

/// Resets a field to its default. Tab skips it, to the next field: otherwise Enter there would reset.
IconButton {
    property string defaultValue

    width: Theme.smallControl
    icon.name: "reset"
    hint: defaultValue === "" ? qsTr("Reset to default (Ctrl+Shift+Backspace in the field)")
                              : qsTr("Reset to default: %1 (Ctrl+Shift+Backspace in the field)").arg(defaultValue)
    focusPolicy: Qt.NoFocus
    Accessible.onPressAction: clicked()
}
