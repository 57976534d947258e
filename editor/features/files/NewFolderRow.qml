import QtQuick
import QtQuick.Layouts
import Weir

/// Field for the name of a new folder.
RowLayout {
    id: root

    required property FileChooser chooser

    signal leaving()

    function begin() {
        visible = true
        field.text = ""
        field.forceActiveFocus(Qt.OtherFocusReason)
    }

    function end() {
        visible = false
        leaving()
    }

    function make() {
        if (root.chooser.makeFolder(field.text.trim()))
            end()
    }

    visible: false
    spacing: Theme.space2
    Keys.onEscapePressed: end()

    TextBox {
        id: field
        objectName: "fileNewFolderName"
        Layout.fillWidth: true
        placeholderText: qsTr("Name of the new folder")
        Accessible.name: placeholderText
        onAccepted: root.make()
    }
    PushButton {
        objectName: "fileMakeFolder"
        implicitHeight: Theme.fieldControl
        text: qsTr("Create")
        onClicked: root.make()
    }
    PushButton {
        implicitHeight: Theme.fieldControl
        text: qsTr("Cancel")
        onClicked: root.end()
    }
}
