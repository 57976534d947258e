import QtQuick
import Weir

/// Dialogs of the actions of the mapping.
Item {
    id: root

    required property Editor editor
    required property GraphCanvas canvas

    /// Return a place below the selected blocks if the canvas shows them; else below the middle of the bars.
    function menuPlace(): point {
        const rect = editor.tools.graph.selectionRect()
        const below = canvas.view.viewAt(Qt.point(rect.x, rect.y + rect.height + 8))
        const shown = canvas.visible && rect.width > 0 && canvas.view.contains(below)
        return shown ? mapFromItem(canvas.view, below) : Qt.point(width / 2 - moveMenu.width / 2, 120)
    }

    MoveMenu {
        id: moveMenu
        mapping: root.editor.mapping
    }
    FileAsk {
        id: machineDialog
        objectName: "machineDialog"
        editor: root.editor
        title: qsTr("Plan for the machine of a file")
        nameFilters: [qsTr("Machine files (*.json)"), qsTr("All files (*)")]
        currentFolder: root.editor.folder
        onAccepted: root.editor.mapping.loadMachine(selectedFile)
    }
    Connections {
        target: root.editor.actions
        function onRequested(id: string) {
            if (id === "mapping.load_machine") {
                machineDialog.open()
            } else if (id === "mapping.map_to") {
                if (root.editor.view === "lanes")
                    return // they have their own menu, at the block
                // On the canvas, only the colours show the effect of a move.
                root.editor.mapping.colourForMove()
                root.editor.mapping.movedWorker = ""
                moveMenu.popup(root.menuPlace())
            }
        }
    }
}
