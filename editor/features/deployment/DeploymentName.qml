import QtQuick
import Weir

/// Name of the chosen deployment, which can be renamed in place.
Item {
    id: root

    required property Editor editor

    /// Scheduler and run name of a project without a deployment.
    readonly property string own: editor.deploymentSettings.exists ? "" : editor.deploymentSettings.scheduler
    property bool renaming: false

    function rename() {
        renaming = true
        box.text = own === "" ? editor.deploymentSettings.name : own
        box.forceActiveFocus(Qt.OtherFocusReason)
        box.selectAll()
    }

    /// Keep the keyboard in the bar: the user sets up the deployment next.
    function leave() {
        const keys = box.activeFocus
        renaming = false
        if (keys)
            choice.forceActiveFocus(Qt.TabFocusReason)
    }

    implicitWidth: Math.max(100, Math.min(choice.wholeWidth, 280))
    implicitHeight: Theme.fieldControl

    ChoiceBox {
        id: choice

        objectName: "deployment"
        anchors.fill: parent
        visible: !root.renaming
        model: root.own === "" ? root.editor.deployments : [root.own]
        currentIndex: root.own === "" ? root.editor.deploymentIndex : 0
        unset: root.own !== ""
        placeholder: root.own
        Accessible.name: qsTr("Deployment")
        Accessible.description: hint.text
        onActivated: index => root.editor.deploymentIndex = index

        Hint {
            id: hint

            shown: choice.hovered && !choice.popup.visible && text !== ""
            text: root.own === "" ? "" : qsTr("This project has no deployment, so it runs with %1. Choose a scheduler or press + to add a deployment.").arg(root.own)
        }
    }
    TextBox {
        id: box

        objectName: "deploymentName"
        anchors.fill: parent
        visible: root.renaming
        Accessible.name: qsTr("Name of the deployment")
        onEditingFinished: {
            if (root.renaming && root.editor.deploymentSettings.rename(text))
                root.leave()
        }
        onActiveFocusChanged: if (!activeFocus) root.renaming = false
        Keys.onEscapePressed: root.leave()
    }
    Connections {
        target: root.editor.deploymentSettings
        function onRenameRequested() { root.rename() }
        function onChoiceRequested() {
            choice.forceActiveFocus(Qt.ShortcutFocusReason)
            choice.popup.open()
        }
    }
}
