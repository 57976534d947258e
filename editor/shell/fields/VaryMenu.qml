import QtQuick
import QtQuick.Controls.Basic

/// Context menu of a field that a sweep can vary.
Menu {
    id: root

    property bool varied: false

    signal chosen()

    objectName: "varyMenu"
    implicitWidth: 220
    padding: Theme.space1
    enter: FadeIn {}

    background: Rectangle {
        radius: Theme.radiusButton
        color: Theme.pane
        border.color: Theme.line
    }

    MenuItem {
        id: item

        objectName: "varyItem"
        implicitHeight: Theme.row
        text: root.varied ? qsTr("Stop varying") : qsTr("Vary in the sweep")
        Accessible.name: text
        onTriggered: root.chosen()

        contentItem: PlainText {
            text: item.text
            leftPadding: Theme.space2
            verticalAlignment: Text.AlignVCenter
        }
        background: Rectangle {
            radius: Theme.radiusField
            color: item.highlighted ? Theme.selectedRow : "transparent"
        }
    }
}
