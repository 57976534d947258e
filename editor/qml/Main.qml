import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Dialogs
import QtQuick.Layouts
import Weir

ApplicationWindow {
    id: root

    required property Editor editor
    property bool dark: false
    /// What waits for the answer about unsaved changes: "", "close", "new" or "open".
    property string pending

    function save() {
        if (editor.hasFile)
            editor.save()
        else
            saveDialog.open()
    }

    function guard(action: string) {
        pending = action
        if (editor.modified)
            closeDialog.open()
        else
            proceed()
    }

    function proceed() {
        const action = pending
        pending = ""
        if (action === "close")
            Qt.exit(0)
        else if (action === "new")
            editor.newDocument()
        else if (action === "open")
            openDialog.open()
    }

    visible: true
    width: 1600
    height: 1000
    minimumWidth: 900
    minimumHeight: 560
    title: qsTr("%1%2 — Weir").arg(editor.documentName).arg(editor.modified ? " *" : "")
    color: Theme.canvas
    onClosing: close => {
        close.accepted = !editor.modified
        if (editor.modified)
            guard("close")
    }
    Component.onCompleted: Theme.dark = dark

    ColumnLayout {
        anchors.fill: parent
        spacing: 0

        TopBar {
            Layout.fillWidth: true
            editor: root.editor
            onOpenRequested: root.guard("open")
            onSaveRequested: root.save()
        }
        SplitView {
            Layout.fillWidth: true
            Layout.fillHeight: true
            orientation: Qt.Horizontal
            handle: SplitGrip {}

            PalettePane {
                id: palette
                SplitView.preferredWidth: 232
                SplitView.minimumWidth: 160
                SplitView.maximumWidth: 400
                editor: root.editor
                canvas: canvas
            }
            SplitView {
                SplitView.fillWidth: true
                SplitView.minimumWidth: 320
                orientation: Qt.Vertical
                handle: SplitGrip {}

                GraphCanvas {
                    id: canvas
                    SplitView.fillHeight: true
                    SplitView.minimumHeight: 200
                    editor: root.editor

                    NoticeBar {
                        anchors.top: parent.top
                        anchors.topMargin: 12
                        anchors.horizontalCenter: parent.horizontalCenter
                        width: Math.min(parent.width - 24, 640)
                        editor: root.editor
                    }
                }
                BottomPanel {
                    id: bottom
                    SplitView.preferredHeight: 232
                    SplitView.minimumHeight: 33
                    SplitView.maximumHeight: 480
                    editor: root.editor
                }
            }
            InspectorPane {
                SplitView.preferredWidth: 312
                SplitView.minimumWidth: 264
                SplitView.maximumWidth: 420
                editor: root.editor
            }
        }
        StatusBar {
            Layout.fillWidth: true
            editor: root.editor
            zoom: canvas.view.zoom
            onProblemsRequested: bottom.tab = 0
        }
    }

    CloseDialog {
        id: closeDialog
        editor: root.editor
        onAnswered: answer => {
            if (answer === "save")
                root.save()
            if (answer === "")
                root.pending = ""
            else if (answer === "discard" || !root.editor.modified)
                root.proceed()
        }
    }
    FileDialog {
        id: openDialog
        objectName: "openDialog"
        title: qsTr("Open project")
        nameFilters: [qsTr("Weir projects (*.weir.json)"), qsTr("JSON (*.json)"), qsTr("All files (*)")]
        currentFolder: root.editor.folder
        onAccepted: root.editor.open(selectedFile)
    }
    FileDialog {
        id: saveDialog
        title: qsTr("Save project as")
        fileMode: FileDialog.SaveFile
        defaultSuffix: "weir.json"
        nameFilters: [qsTr("Weir projects (*.weir.json)")]
        currentFolder: root.editor.folder
        onAccepted: if (root.editor.saveAs(selectedFile) && root.pending !== "") root.proceed()
        onRejected: root.pending = ""
    }

    Shortcut { sequences: ["Ctrl+O"]; onActivated: root.guard("open") }
    Shortcut { sequences: ["Ctrl+N"]; onActivated: root.guard("new") }
    Shortcut { sequences: ["Ctrl+S"]; onActivated: root.save() }
    Shortcut { sequences: ["Ctrl+Shift+S"]; onActivated: saveDialog.open() }
    Shortcut { sequences: ["Ctrl+Z"]; onActivated: root.editor.undo() }
    Shortcut { sequences: ["Ctrl+Shift+Z", "Ctrl+Y"]; onActivated: root.editor.redo() }
    Shortcut { sequences: ["Ctrl+A"]; enabled: canvas.view.activeFocus; onActivated: root.editor.selectAll() }
    Shortcut { sequences: ["Ctrl+F"]; onActivated: palette.focusSearch() }
    Shortcut { sequences: ["F5"]; onActivated: root.editor.runner.build() }
    Shortcut { sequences: ["F6"]; onActivated: root.editor.runner.run() }
    Shortcut { sequences: ["F7"]; onActivated: root.editor.runner.cancel() }
    Shortcut { sequences: ["Ctrl+Q"]; onActivated: root.guard("close") }
}
