import QtQuick

/// Marks a block type as a favourite.
IconButton {
    property bool favourite: false

    implicitWidth: Theme.smallControl
    implicitHeight: Theme.smallControl
    focusPolicy: Qt.NoFocus
    icon.name: favourite ? "star_filled" : "star"
    hint: favourite ? qsTr("Remove from the favourites (Shift+Enter)") : qsTr("Add to the favourites (Shift+Enter)")
    Accessible.checkable: true
    Accessible.checked: favourite
}
