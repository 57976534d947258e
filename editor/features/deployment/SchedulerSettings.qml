import QtQuick
import Weir

Column {
    id: root

    required property Deployments deployments
    required property Fields fields

    signal focused(field: Item)

    PlainText {
        width: root.width
        text: root.deployments.schedulerTitle
        font.weight: Font.DemiBold
    }
    NoteText {
        width: root.width
        topPadding: Theme.space1
        bottomPadding: Theme.space2
        text: root.deployments.schedulerDocumentation
    }
    FieldList {
        width: root.width
        fields: root.fields
        model: root.deployments.schedulerParameters
        heading: qsTr("Parameters of %1").arg(root.deployments.schedulerTitle)
        onFocused: field => root.focused(field)
    }
    FieldList {
        width: root.width
        fields: root.fields
        model: root.deployments.privileges
        heading: qsTr("Threads, memory, requirements")
        onFocused: field => root.focused(field)
    }
}
