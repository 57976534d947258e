import QtQuick
import Weir

/// Button that switches an option on or off.
PushButton {
    id: root

    required property Actions actions
    required property string actionId
    property bool on: false

    implicitHeight: Theme.fieldControl
    implicitWidth: implicitContentWidth + 20
    objectName: "toggle:" + actionId
    icon.name: on ? "check" : ""
    hint: actions.title(actionId)
    font.pixelSize: Theme.sizeSmall
    font.weight: on ? Font.DemiBold : Font.Normal
    Accessible.role: Accessible.CheckBox
    Accessible.checked: on
    onClicked: actions.trigger(actionId)

    background: Rectangle {
        radius: Theme.radiusField
        color: root.on ? Theme.selectedRow : root.hovered || root.down ? Theme.alt : "transparent"
        border.color: Theme.line

        FocusRing { shown: root.visualFocus }
    }
}
