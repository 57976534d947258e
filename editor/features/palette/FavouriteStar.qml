import QtQuick

/// Marks a block type as one of the user's own.
IconButton {
    property bool favourite: false

    implicitWidth: 24
    implicitHeight: 24
    focusPolicy: Qt.NoFocus
    text: favourite ? "★" : "☆"
    hint: favourite ? qsTr("No favourite any more (Shift+Enter)") : qsTr("Favourite (Shift+Enter)")
    Accessible.checkable: true
    Accessible.checked: favourite
}
