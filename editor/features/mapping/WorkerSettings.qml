import QtQuick
import Weir

/// Thread settings of one worker.
PanePopup {
    id: root

    required property Editor editor

    readonly property MappingController mapping: editor.mapping

    objectName: "workerSettings"
    width: 344
    padding: Theme.space4
    onOpened: fields.takeFocus()
    onClosed: mapping.closeWorker()

    Column {
        width: parent.width

        PlainText {
            width: parent.width
            bottomPadding: Theme.space1
            text: qsTr("Worker %1").arg(root.mapping.openedWorker)
            elide: Text.ElideRight
            font.weight: Font.DemiBold
        }
        NoteText {
            width: parent.width
            bottomPadding: Theme.space2
            text: qsTr("A worker with its own policy has its own priority. Empty fields follow the settings of all workers of %1.").arg(root.editor.deploymentSettings.name)
        }
        FieldList {
            id: fields

            width: parent.width
            fields: root.editor.fields
            model: root.mapping.workerFields
        }
    }
}
