import QtQuick
import QtQuick.Controls.Basic
import Weir

/// All dialogs and bars about files, the list of recent ones, and files dropped on the window.
Item {
    id: root

    required property Editor editor
    required property ApplicationWindow window

    function showRecent() {
        recentPopup.open()
    }

    function exportPicture() {
        pictureDialog.open()
    }

    function importFlowgraph() {
        importDialog.open()
    }

    function exportFlowgraph() {
        flowgraphDialog.open()
    }

    Connections {
        target: root.editor.files
        function onSaveDecisionNeeded(quits: bool) {
            closeDialog.quits = quits
            closeDialog.open()
        }
        function onOpenNameNeeded() { openDialog.open() }
        function onSaveNameNeeded() { saveDialog.open() }
        function onQuitAccepted() { Qt.exit(0) }
    }
    Connections {
        target: root.editor.sweepRunner
        function onSweepFileNeeded() { sweepDialog.open() }
    }
    Connections {
        target: root.window
        function onActiveChanged() {
            if (root.window.active)
                root.editor.files.look()
        }
    }

    DropArea {
        id: drop
        objectName: "fileDrop"
        anchors.fill: parent
        keys: ["text/uri-list"]
        onDropped: event => {
            if (event.hasUrls && event.urls.length > 0) {
                event.acceptProposedAction()
                root.editor.files.openUrl(event.urls[0])
            }
        }
    }
    Rectangle {
        anchors.fill: parent
        anchors.margins: Theme.space2
        visible: drop.containsDrag
        radius: Theme.radiusNode
        color: Qt.alpha(Theme.selectedRow, 0.85)
        border.width: Theme.strokeStrong
        border.color: Theme.accent

        PlainText {
            anchors.centerIn: parent
            text: qsTr("Drop the file to open it")
            font.pixelSize: Theme.sizeTitle
            font.weight: Font.DemiBold
        }
    }

    CloseDialog {
        id: closeDialog
        editor: root.editor
        onAnswered: answer => root.editor.files.answerUnsaved(answer)
    }
    RecentPopup {
        id: recentPopup
        x: (root.width - width) / 2
        y: 76
        files: root.editor.files
    }
    DifferencePanel {
        x: (root.width - width) / 2
        y: 96
        difference: root.editor.files.difference
    }
    FileDialogPane { editor: root.editor }
    FileAsk {
        id: openDialog
        objectName: "openDialog"
        editor: root.editor
        title: qsTr("Open project")
        ofProjects: true
        nameFilters: [qsTr("Flowgraphs (*.weir.json *.grc)"), qsTr("Weir projects (*.weir.json)"), qsTr("JSON (*.json)"),
            qsTr("GNU Radio Companion (*.grc)"), qsTr("All files (*)")]
        currentFolder: root.editor.folder
        onAccepted: root.editor.files.openUrl(selectedFile)
    }
    FileAsk {
        id: saveDialog
        objectName: "saveDialog"
        editor: root.editor
        title: qsTr("Save project as")
        ofProjects: true
        mode: FileChooser.SaveFile
        suffix: "weir.json"
        nameFilters: [qsTr("Weir projects (*.weir.json)")]
        onAccepted: root.editor.files.saveAs(selectedFile)
        onRejected: root.editor.files.giveUp()
    }
    FileAsk {
        id: pictureDialog
        objectName: "pictureDialog"
        editor: root.editor
        title: qsTr("Export a picture of the flowgraph")
        acceptLabel: qsTr("Export")
        mode: FileChooser.SaveFile
        suffix: "svg"
        nameFilters: [qsTr("SVG (*.svg)"), qsTr("PNG (*.png)"), qsTr("PDF (*.pdf)")]
        onAccepted: root.editor.exchange.exportPicture(selectedFile)
    }
    FileAsk {
        id: importDialog
        objectName: "importDialog"
        editor: root.editor
        title: qsTr("Import a flowgraph of GNU Radio Companion")
        acceptLabel: qsTr("Import")
        nameFilters: [qsTr("GNU Radio Companion (*.grc)"), qsTr("All files (*)")]
        currentFolder: root.editor.folder
        onAccepted: root.editor.files.openUrl(selectedFile)
    }
    FileAsk {
        id: flowgraphDialog
        objectName: "flowgraphDialog"
        editor: root.editor
        title: qsTr("Export to GNU Radio Companion")
        acceptLabel: qsTr("Export")
        mode: FileChooser.SaveFile
        suffix: "grc"
        nameFilters: [qsTr("GNU Radio Companion (*.grc)")]
        onAccepted: root.editor.exchange.exportFlowgraph(selectedFile)
    }
    FileAsk {
        id: sweepDialog
        objectName: "sweepDialog"
        editor: root.editor
        title: qsTr("Open a measured sweep")
        nameFilters: [qsTr("Sweeps (sweep.json)"), qsTr("All files (*)")]
        currentFolder: root.editor.folder
        onAccepted: root.editor.sweepRunner.openSweep(selectedFile)
    }
}
