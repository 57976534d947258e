import QtQuick
import QtQuick.Layouts
import Weir

Column {
    id: root

    required property Editor editor

    readonly property Inspector inspector: editor.inspector

    spacing: 8

    PlainText {
        width: root.width
        text: root.editor.documentName
        elide: Text.ElideMiddle
        font.pixelSize: Theme.sizeHeading
        font.weight: Font.DemiBold
    }
    PlainText {
        text: root.editor.summary
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
    FieldList {
        width: root.width
        inspector: root.inspector
        model: root.inspector.projectParameters
        heading: qsTr("Project parameters")
        emptyText: qsTr("None. Blocks can use them in expressions, and sweeps can vary them.")
        removable: true
        onRemoveRequested: name => root.inspector.removeProjectParameter(name)
    }
    RowLayout {
        width: root.width

        TextBox {
            id: parameterName

            objectName: "newParameter"
            Layout.fillWidth: true
            placeholderText: qsTr("new parameter")
            Accessible.name: qsTr("Name of a new project parameter")
            onAccepted: if (root.inspector.addProjectParameter(text)) clear()
        }
        PushButton {
            implicitHeight: Theme.fieldControl
            text: "+"
            hint: qsTr("Add project parameter")
            enabled: parameterName.text !== ""
            onClicked: if (root.inspector.addProjectParameter(parameterName.text)) parameterName.clear()
        }
    }
    FieldList {
        width: root.width
        inspector: root.inspector
        model: root.inspector.deployment
        heading: qsTr("Deployment %1").arg(root.editor.deployments[root.editor.deploymentIndex] ?? "")
        emptyText: qsTr("None. The project runs on a single thread.")
    }
    PlainText {
        width: root.width
        visible: text !== ""
        text: root.inspector.schedulerDocumentation
        wrapMode: Text.Wrap
        font.pixelSize: Theme.sizeSmall
        color: Theme.text2
    }
    RowLayout {
        PushButton {
            objectName: "addDeployment"
            implicitHeight: Theme.fieldControl
            text: qsTr("Add deployment")
            onClicked: root.editor.addDeployment()
        }
        PushButton {
            implicitHeight: Theme.fieldControl
            text: qsTr("Delete")
            hint: qsTr("Delete this deployment")
            enabled: root.editor.deployments.length > 0
            onClicked: root.editor.removeDeployment()
        }
    }
    FieldList {
        width: root.width
        inspector: root.inspector
        model: root.inspector.run
        heading: qsTr("Run")
    }
}
