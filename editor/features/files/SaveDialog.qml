import QtQuick
import QtQuick.Dialogs
import QtQuick.Templates as T
import Weir

/// Asks where to write and proposes a name. Whether a file may be replaced is asked in a bar, the same for every
/// platform's dialog.
FileDialog {
    id: root

    required property DocumentFiles files
    /// Of the chosen filter, without a dot.
    required property string suffix

    property T.TextField field: null

    function ask() {
        field = null
        selectedFile = files.proposedFile(suffix)
        open()
        opened.restart()
    }

    /// Qt's own dialog shows the name of a file only if there is one, has the focus in its list, and keeps what was
    /// typed when it is opened again.
    function propose(name: string) {
        field.text = name
        field.forceActiveFocus(Qt.OtherFocusReason)
        field.select(0, Math.max(0, name.length - suffix.length - 1))
    }

    fileMode: FileDialog.SaveFile
    options: FileDialog.DontConfirmOverwrite // qmllint disable
    acceptLabel: qsTr("Save")
    defaultSuffix: suffix
    onSuffixChanged: {
        if (!field)
            return
        const dot = field.text.lastIndexOf(".")
        propose((dot > 0 ? field.text.slice(0, dot) : field.text) + "." + suffix)
        field.editingFinished()
    }

    property Timer opened: Timer {
        interval: 0
        onTriggered: {
            root.field = root.files.dialogNameField() as T.TextField
            if (root.field)
                root.propose(root.files.proposedName(root.suffix))
        }
    }
    property Connections entered: Connections {
        target: root.field
        function onAccepted() {
            root.field.editingFinished()
            root.accept()
        }
    }
}
