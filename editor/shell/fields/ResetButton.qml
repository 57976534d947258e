import QtQuick

/// Takes a field back to its default. Tab passes it by, to the next value: Enter there would reset.
IconButton {
    property string defaultValue

    width: Theme.smallControl
    icon.name: "reset"
    hint: defaultValue === "" ? qsTr("Reset to default (Ctrl+Shift+Backspace in the field)")
                              : qsTr("Reset to default: %1 (Ctrl+Shift+Backspace in the field)").arg(defaultValue)
    focusPolicy: Qt.NoFocus
    Accessible.onPressAction: clicked()
}
