import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Every action, by its group.
Menu {
    id: root

    required property Actions actions

    implicitWidth: 200
    padding: 4
    delegate: ActionMenuItem {}
    background: Rectangle {
        radius: Theme.radiusButton
        color: Theme.pane
        border.color: Theme.line
    }

    ActionMenu { title: qsTr("File"); actions: root.actions }
    ActionMenu { title: qsTr("Edit"); actions: root.actions }
    ActionMenu { title: qsTr("Graph"); actions: root.actions }
    ActionMenu { title: qsTr("Mapping"); actions: root.actions }
    ActionMenu { title: qsTr("Run"); actions: root.actions }
    ActionMenu { title: qsTr("Results"); actions: root.actions }
    ActionMenu { title: qsTr("View"); actions: root.actions }
    ActionMenu { title: qsTr("Help"); actions: root.actions }
}
