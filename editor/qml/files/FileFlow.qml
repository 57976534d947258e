import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Dialogs
import Weir

/// Everything that the window shows and asks about files: dialogs, the list of recent ones, files dropped on it.
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
        function onUnsavedAsked() { closeDialog.open() }
        function onOpenNameNeeded() { openDialog.open() }
        function onSaveNameNeeded() { saveDialog.open() }
        function onQuitAccepted() { Qt.exit(0) }
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
        anchors.margins: 8
        visible: drop.containsDrag
        radius: Theme.radiusNode
        color: Qt.alpha(Theme.selectedRow, 0.85)
        border.width: 2
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
    FileDialog {
        id: openDialog
        objectName: "openDialog"
        title: qsTr("Open project")
        nameFilters: [qsTr("Weir projects (*.weir.json)"), qsTr("JSON (*.json)"),
            qsTr("GNU Radio Companion (*.grc)"), qsTr("All files (*)")]
        currentFolder: root.editor.folder
        onAccepted: root.editor.files.openUrl(selectedFile)
    }
    // Whether a file may be replaced is asked in a bar, the same for every platform's dialog.
    FileDialog {
        id: saveDialog
        objectName: "saveDialog"
        title: qsTr("Save project as")
        fileMode: FileDialog.SaveFile
        options: FileDialog.DontConfirmOverwrite // qmllint disable
        defaultSuffix: "weir.json"
        nameFilters: [qsTr("Weir projects (*.weir.json)")]
        currentFolder: root.editor.folder
        onAccepted: root.editor.files.saveAs(selectedFile)
        onRejected: root.editor.files.giveUpSaving()
    }
    FileDialog {
        id: pictureDialog
        objectName: "pictureDialog"
        title: qsTr("Export a picture of the flowgraph")
        fileMode: FileDialog.SaveFile
        options: FileDialog.DontConfirmOverwrite // qmllint disable
        defaultSuffix: ["svg", "png", "pdf"][selectedNameFilter.index]
        nameFilters: [qsTr("SVG (*.svg)"), qsTr("PNG (*.png)"), qsTr("PDF (*.pdf)")]
        currentFolder: root.editor.folder
        onAccepted: root.editor.exchange.exportPicture(selectedFile)
    }
    FileDialog {
        id: importDialog
        objectName: "importDialog"
        title: qsTr("Import a flowgraph of GNU Radio Companion")
        nameFilters: [qsTr("GNU Radio Companion (*.grc)")]
        currentFolder: root.editor.folder
        onAccepted: root.editor.files.openUrl(selectedFile)
    }
    FileDialog {
        id: flowgraphDialog
        objectName: "flowgraphDialog"
        title: qsTr("Export to GNU Radio Companion")
        fileMode: FileDialog.SaveFile
        options: FileDialog.DontConfirmOverwrite // qmllint disable
        defaultSuffix: "grc"
        nameFilters: [qsTr("GNU Radio Companion (*.grc)")]
        currentFolder: root.editor.folder
        onAccepted: root.editor.exchange.exportFlowgraph(selectedFile)
    }
    ReportPanel {
        x: root.width - width - 24
        y: 96
        report: root.editor.exchange.report
        onBlockChosen: block => root.editor.goTo(block)
    }
}
