pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Weir

/// Chosen deployment and its scheduler's main settings; the panel below has the rest.
Rectangle {
    id: root

    required property Editor editor

    readonly property Deployments deployments: editor.deploymentSettings
    readonly property Fields fields: editor.fields
    readonly property int line: 40
    /// True if the fields need a line of their own, because the names beside them are never cut.
    readonly property bool wraps: width < choices.x + choices.implicitWidth + fields.width + settings.width + Theme.space5
                                          + Theme.space4
    /// Room for the panel, in px.
    property real room: 560

    implicitHeight: (wraps ? 2 * line - Theme.space1 : line) + 1
    color: Theme.pane

    RowLayout {
        id: choices

        x: Theme.space4
        width: Math.min(implicitWidth, settings.x - x - (root.wraps ? Theme.space2 : fields.width + Theme.space5 + Theme.space3))
        height: root.line
        spacing: Theme.space1

        DeploymentName {
            Layout.fillWidth: true
            Layout.minimumWidth: 100
            Layout.maximumWidth: implicitWidth
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
            hint: qsTr("Rename, duplicate, delete or vary the deployment")
            onClicked: menu.popup(more, 0, height + Theme.strokeStrong)

            ActionMenu {
                id: menu
                actions: root.editor.actions
                ids: ["deployment.rename", "deployment.duplicate", "deployment.delete", "-", "sweep.deployment"]
            }
        }
        Divider {
            Layout.preferredHeight: Theme.iconLarge
            Layout.leftMargin: Theme.space1
            Layout.rightMargin: Theme.space2
        }
        SchedulerChoice {
            Layout.fillWidth: true
            Layout.minimumWidth: 84
            Layout.maximumWidth: implicitWidth
            deployments: root.deployments
        }
    }
    Row {
        id: fields

        objectName: "deploymentFields"
        x: root.wraps ? Theme.space4 : choices.x + choices.width + Theme.space5
        y: root.wraps ? root.line - Theme.space1 : 0
        height: root.line
        spacing: Theme.space5 // room for a field's reset button

        Repeater {
            id: fieldItems

            model: root.deployments.scheduling

            BarField {
                anchors.verticalCenter: parent?.verticalCenter
                fields: root.fields
                onCommitted: typed => root.deployments.commitScheduling(index, typed)
                onReverted: root.fields.revert(root.deployments.scheduling, index)
                onVaryRequested: root.fields.toggleVaried(root.deployments.scheduling, index)
            }
        }
    }
    PushButton {
        id: settings

        objectName: "deploymentSettings"
        x: root.width - width - Theme.space2
        y: (root.line - height) / 2
        implicitHeight: Theme.fieldControl
        flat: !root.deployments.panelOpen
        text: root.deployments.problemCount > 0 ? qsTr("Settings: %1").arg(root.deployments.problemCount)
                                                : qsTr("Settings")
        icon.name: root.deployments.problemCount > 0 ? "warning" : root.deployments.panelOpen ? "chevron_up" : "chevron_down"
        hint: root.deployments.problemCount > 0 ? qsTr("The settings have problems")
                                                : qsTr("All settings of the deployment, the build and the run")
        onClicked: root.deployments.panelOpen = !root.deployments.panelOpen
    }
    Divider {
        anchors.bottom: parent.bottom
        width: parent.width
    }
    DeploymentPanel {
        anchors.top: parent.bottom
        anchors.topMargin: Theme.space2
        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        room: root.room - Theme.space4
        visible: root.deployments.panelOpen
        editor: root.editor
    }
    Connections {
        target: root.fields
        function onFocusRequested(model, row) {
            if (model === root.deployments.scheduling)
                (fieldItems.itemAt(row) as BarField)?.takeFocus()
        }
    }
}
