import QtQuick
import Weir

/// The chosen deployment; renamed in place.
Item {
    id: root

    required property Editor editor

    property bool renaming: false

    function rename() {
        renaming = editor.deploymentSettings.exists
        if (!renaming)
            return
        box.text = editor.deploymentSettings.name
        box.forceActiveFocus(Qt.OtherFocusReason)
        box.selectAll()
    }

    implicitWidth: Math.max(100, Math.min(choice.wholeWidth, 280))
    implicitHeight: Theme.fieldControl

    ChoiceBox {
        id: choice

        objectName: "deployment"
        anchors.fill: parent
        visible: !root.renaming
        model: root.editor.deployments
        currentIndex: root.editor.deploymentIndex
        unset: root.editor.deployments.length === 0
        font.family: unset ? Theme.sans : Theme.mono
        placeholder: qsTr("none yet")
        Accessible.name: qsTr("Deployment")
        onActivated: index => root.editor.deploymentIndex = index
    }
    TextBox {
        id: box

        objectName: "deploymentName"
        anchors.fill: parent
        visible: root.renaming
        Accessible.name: qsTr("Name of the deployment")
        onEditingFinished: {
            if (root.renaming && root.editor.deploymentSettings.rename(text))
                root.renaming = false
        }
        onActiveFocusChanged: if (!activeFocus) root.renaming = false
        Keys.onEscapePressed: root.renaming = false
    }
    Connections {
        target: root.editor.deploymentSettings
        function onRenameRequested() { root.rename() }
    }
}
