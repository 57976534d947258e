import QtQuick
import QtQuick.Layouts
import Weir

Rectangle {
    id: root

    required property Editor editor

    implicitHeight: 44
    color: Theme.pane

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: 8
        anchors.rightMargin: 12
        spacing: 8

        PushButton {
            objectName: "menu"
            text: "☰"
            flat: true
            hint: qsTr("Menu")
            onClicked: menu.popup(this, 0, height + 4)

            AppMenu {
                id: menu
                actions: root.editor.actions
            }
        }
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
            onClicked: root.editor.actions.trigger("file.open")
        }
        PushButton {
            objectName: "save"
            text: qsTr("Save")
            hint: qsTr("Save (Ctrl+S)")
            enabled: root.editor.modified || !root.editor.hasFile
            onClicked: root.editor.actions.trigger("file.save")
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
            onClicked: root.editor.actions.trigger("edit.undo")
        }
        PushButton {
            objectName: "redo"
            text: qsTr("Redo")
            hint: root.editor.redoText === "" ? qsTr("Nothing to redo") : qsTr("Redo: %1").arg(root.editor.redoText)
            enabled: root.editor.redoText !== ""
            onClicked: root.editor.actions.trigger("edit.redo")
        }
        PushButton {
            text: Theme.dark ? "☀" : "☾"
            hint: Theme.dark ? qsTr("Light theme") : qsTr("Dark theme")
            onClicked: root.editor.actions.trigger("view.theme")
        }
        RunButtons {
            editor: root.editor
        }
    }
    Divider {
        anchors.bottom: parent.bottom
        width: parent.width
    }
}
