pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Weir

/// Which deployment runs, and how its scheduler is set up; the rest is in the panel below.
Rectangle {
    id: root

    required property Editor editor

    readonly property Deployments deployments: editor.deploymentSettings
    readonly property Inspector inspector: editor.inspector
    /// Where there is no room for the fields, the panel has them.
    readonly property bool hasFields: width >= 1010
    /// How far down the panel may reach.
    property real room: 560

    implicitHeight: 41
    color: Theme.pane

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: 16
        anchors.rightMargin: 8
        anchors.bottomMargin: 1
        spacing: 6

        DeploymentName {
            Layout.fillWidth: true
            Layout.minimumWidth: 110
            Layout.maximumWidth: 168
            editor: root.editor
        }
        IconButton {
            objectName: "addDeployment"
            icon.name: "plus"
            hint: qsTr("Add a deployment")
            onClicked: root.editor.actions.trigger("deployment.add")
        }
        IconButton {
            id: more

            objectName: "deploymentMenu"
            icon.name: "more"
            hint: qsTr("Rename, duplicate or delete the deployment")
            onClicked: menu.popup(more, 0, height + 2)

            ActionMenu {
                id: menu
                actions: root.editor.actions
                ids: ["deployment.rename", "deployment.duplicate", "deployment.delete"]
            }
        }
        Divider {
            Layout.preferredHeight: 20
            Layout.leftMargin: 4
            Layout.rightMargin: 8
        }
        SchedulerChoice {
            Layout.fillWidth: true
            Layout.minimumWidth: 120
            Layout.maximumWidth: 168
            deployments: root.deployments
        }
        Repeater {
            id: fields

            model: root.hasFields ? root.deployments.scheduling : null

            BarField {
                Layout.leftMargin: 12
                inspector: root.inspector
                onCommitted: typed => root.inspector.commit(root.deployments.scheduling, index, typed)
                onReverted: root.inspector.revert(root.deployments.scheduling, index)
            }
        }
        Item { Layout.fillWidth: true }
        PushButton {
            objectName: "deploymentSettings"
            implicitHeight: Theme.fieldControl
            flat: !root.deployments.panelOpen
            text: root.deployments.problemCount > 0 ? qsTr("Settings: %1").arg(root.deployments.problemCount)
                                                    : qsTr("Settings")
            icon.name: root.deployments.problemCount > 0 ? "warning" : root.deployments.panelOpen ? "chevron_up" : "chevron_down"
            hint: root.deployments.problemCount > 0 ? qsTr("Something is wrong with the settings")
                                                    : qsTr("All settings of the deployment, the build and the run")
            onClicked: root.deployments.panelOpen = !root.deployments.panelOpen
        }
    }
    Divider {
        anchors.bottom: parent.bottom
        width: parent.width
    }
    DeploymentPanel {
        anchors.top: parent.bottom
        anchors.topMargin: 8
        anchors.right: parent.right
        anchors.rightMargin: 8
        room: root.room - 16
        visible: root.deployments.panelOpen
        editor: root.editor
        withScheduling: !root.hasFields
    }
    Connections {
        target: root.inspector
        function onFocusRequested(model, row) {
            if (root.hasFields && model === root.deployments.scheduling)
                (fields.itemAt(row) as BarField)?.takeFocus()
        }
    }
}
