import QtQuick

/// Adds a field to the sweep, or removes it.
IconButton {
    id: root

    property bool varied: false

    implicitWidth: Theme.smallControl
    implicitHeight: Theme.smallControl
    focusPolicy: Qt.NoFocus // the field has a key for it, and Tab goes from value to value
    icon.name: "vary"
    hint: varied ? qsTr("Stop varying in the sweep (Ctrl+Shift+V)")
                 : qsTr("Vary this field in the sweep (Ctrl+Shift+V)")
    Accessible.checkable: true
    Accessible.checked: varied

    contentItem: ButtonFace {
        icon: root.icon.name
        text: ""
        font: root.font
        color: root.varied ? Theme.accent : root.hovered || root.down ? Theme.text : Theme.text2
    }
}
