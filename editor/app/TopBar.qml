import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Weir

Rectangle {
    id: root

    required property Editor editor

    readonly property alias runButtons: buttons
    /// True if the labels fit beside the icons and leave some room for the document's name.
    readonly property bool roomy: width >= 1200
    /// Tabs of the views: always at the same place, above the view.
    readonly property alias views: tabs
    readonly property int face: roomy ? AbstractButton.TextBesideIcon : AbstractButton.IconOnly

    signal problemsRequested()
    signal logRequested()

    /// Opened by a key, the menu selects its first entry.
    function openMenu() {
        menu.popup(menuButton, 0, menuButton.height + Theme.space1)
        menu.currentIndex = 0
    }

    implicitHeight: Theme.bar
    color: Theme.pane

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: Theme.space2
        anchors.rightMargin: Theme.space3
        spacing: Theme.space1

        PushButton {
            id: menuButton
            objectName: "menu"
            icon.name: "menu"
            flat: true
            hint: qsTr("Menu (F10)")
            onClicked: menu.popup(this, 0, height + Theme.space1)

            AppMenu {
                id: menu
                actions: root.editor.actions
            }
        }
        Item {
            id: document

            readonly property real wanted: name.implicitWidth + file.implicitWidth + mark.implicitWidth + Theme.space5

            Layout.fillWidth: true
            Layout.fillHeight: true
            // Aligned with the right edge of the palette, where the tabs begin, unless the name needs more.
            Layout.minimumWidth: root.roomy ? 192 : Theme.space6
            Layout.maximumWidth: Math.max(Layout.minimumWidth, Math.min(wanted, 320))

            PlainText {
                id: name

                x: Theme.space1
                anchors.verticalCenter: parent.verticalCenter
                width: Math.min(implicitWidth, parent.width - file.width - mark.width - Theme.space4 - Theme.space1)
                text: root.editor.projectTitle || root.editor.documentName
                font.weight: Font.DemiBold
                elide: Text.ElideMiddle
            }
            PlainText {
                id: file

                anchors.left: name.right
                anchors.leftMargin: Theme.space2
                anchors.baseline: name.baseline
                // The title identifies the project; the file name is needed to find it on disk.
                text: root.editor.projectTitle !== "" && root.roomy ? root.editor.documentName : ""
                width: Math.min(implicitWidth, Math.max(0, parent.width / 2 - mark.width))
                elide: Text.ElideMiddle
                font.pixelSize: Theme.sizeSmall
                color: Theme.text3
            }
            PlainText {
                id: mark

                anchors.left: file.right
                anchors.leftMargin: file.text === "" ? 0 : Theme.space1
                anchors.baseline: name.baseline
                text: !root.editor.modified ? "" : (file.text === "" ? "" : "· ") + qsTr("edited")
                font.pixelSize: Theme.sizeSmall
                color: Theme.text3
            }
        }
        // Long labels take width from the tabs first.
        Item {
            Layout.fillWidth: true
            Layout.fillHeight: true
            Layout.minimumWidth: Math.min(tabs.natural, 240)
            Layout.maximumWidth: tabs.natural

            TabStrip {
                id: tabs

                room: parent.width
                gap: root.roomy ? Theme.space5 : Theme.space4
                tabHeight: Theme.bar
                labels: root.editor.views.titles
                current: root.editor.viewIndex
                onChosen: index => root.editor.viewIndex = index
            }
        }
        Item { Layout.fillWidth: true }
        // Left of the buttons: they stay in place when its text appears.
        RunState {
            Layout.rightMargin: Theme.space2
            editor: root.editor
            room: root.width
            onProblemsRequested: root.problemsRequested()
            onLogRequested: root.logRequested()
        }
        PushButton {
            objectName: "open"
            icon.name: "open"
            text: qsTr("Open")
            display: root.face
            flat: true
            hint: qsTr("Open a project (Ctrl+O)")
            onClicked: root.editor.actions.trigger("file.open")
        }
        PushButton {
            objectName: "save"
            icon.name: "save"
            text: qsTr("Save")
            display: root.face
            flat: true
            hint: root.editor.lookOnly ? qsTr("Read-only: Ctrl+S saves it under another name") : qsTr("Save (Ctrl+S)")
            enabled: !root.editor.lookOnly && (root.editor.modified || !root.editor.hasFile)
            onClicked: root.editor.actions.trigger("file.save")
        }
        Divider {
            Layout.preferredHeight: Theme.iconLarge
            Layout.leftMargin: Theme.space1
            Layout.rightMargin: Theme.space1
        }
        PushButton {
            objectName: "undo"
            icon.name: "undo"
            text: qsTr("Undo")
            display: AbstractButton.IconOnly
            flat: true
            hint: root.editor.undoText === "" ? qsTr("Nothing to undo") : qsTr("Undo: %1").arg(root.editor.undoText)
            enabled: root.editor.undoText !== ""
            onClicked: root.editor.actions.trigger("edit.undo")
        }
        PushButton {
            objectName: "redo"
            icon.name: "redo"
            text: qsTr("Redo")
            display: AbstractButton.IconOnly
            flat: true
            hint: root.editor.redoText === "" ? qsTr("Nothing to redo") : qsTr("Redo: %1").arg(root.editor.redoText)
            enabled: root.editor.redoText !== ""
            onClicked: root.editor.actions.trigger("edit.redo")
        }
        Divider {
            Layout.preferredHeight: Theme.iconLarge
            Layout.leftMargin: Theme.space1
            Layout.rightMargin: Theme.space1
        }
        PushButton {
            objectName: "theme"
            icon.name: Theme.dark ? "sun" : "moon"
            flat: true
            hint: Theme.dark ? qsTr("Light theme") : qsTr("Dark theme")
            onClicked: root.editor.actions.trigger("view.theme")
        }
        RunButtons {
            id: buttons
            editor: root.editor
            brief: !root.roomy
        }
    }
    Divider {
        anchors.bottom: parent.bottom
        width: parent.width
    }
}
