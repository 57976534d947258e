import QtQuick
import QtQuick.Layouts
import Weir

Rectangle {
    id: root

    required property Editor editor

    readonly property RunController runner: editor.runner

    signal openRequested()
    signal saveRequested()

    implicitHeight: 44
    color: Theme.pane

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: 16
        anchors.rightMargin: 12
        spacing: 8

        PlainText {
            text: root.editor.documentName
            font.weight: Font.DemiBold
            elide: Text.ElideMiddle
            Layout.maximumWidth: 320
        }
        PlainText {
            text: root.editor.modified ? qsTr("edited") : ""
            font.pixelSize: Theme.sizeSmall
            color: Theme.text3
        }
        Item { Layout.fillWidth: true }
        PushButton {
            objectName: "open"
            text: qsTr("Open")
            hint: qsTr("Open a project (Ctrl+O)")
            onClicked: root.openRequested()
        }
        PushButton {
            objectName: "save"
            text: qsTr("Save")
            hint: qsTr("Save (Ctrl+S)")
            enabled: root.editor.modified || !root.editor.hasFile
            onClicked: root.saveRequested()
        }
        Divider {
            Layout.preferredHeight: 20
            Layout.leftMargin: 4
            Layout.rightMargin: 4
        }
        PushButton {
            objectName: "undo"
            text: qsTr("Undo")
            hint: root.editor.undoText === "" ? qsTr("Nothing to undo") : qsTr("Undo: %1").arg(root.editor.undoText)
            enabled: root.editor.undoText !== ""
            onClicked: root.editor.undo()
        }
        PushButton {
            objectName: "redo"
            text: qsTr("Redo")
            hint: root.editor.redoText === "" ? qsTr("Nothing to redo") : qsTr("Redo: %1").arg(root.editor.redoText)
            enabled: root.editor.redoText !== ""
            onClicked: root.editor.redo()
        }
        PushButton {
            text: Theme.dark ? "☀" : "☾"
            hint: Theme.dark ? qsTr("Light theme") : qsTr("Dark theme")
            onClicked: Theme.dark = !Theme.dark
        }
        Divider {
            Layout.preferredHeight: 20
            Layout.leftMargin: 4
            Layout.rightMargin: 4
        }
        ChoiceBox {
            objectName: "deployment"
            implicitHeight: Theme.barControl
            implicitWidth: 180
            model: root.editor.deployments
            currentIndex: root.editor.deploymentIndex
            unset: root.editor.deployments.length === 0
            placeholder: "single_thread"
            Accessible.name: qsTr("Deployment")
            onActivated: index => root.editor.deploymentIndex = index
        }
        PushButton {
            objectName: "run"
            primary: true
            text: root.runner.running ? "■  " + qsTr("Stop") : "▶  " + qsTr("Run")
            hint: root.runner.running ? qsTr("Stop (F7); what was measured is kept as a partial result") : qsTr("Run (F6)")
            onClicked: root.runner.running ? root.runner.cancel() : root.runner.run()
        }
    }
    Divider {
        anchors.bottom: parent.bottom
        width: parent.width
    }
}
