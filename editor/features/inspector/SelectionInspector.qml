import QtQuick
import Weir

/// Fields that the selected blocks share.
Column {
    id: root

    required property Inspector inspector
    required property Fields fields

    signal focused(field: Item)

    spacing: Theme.space1

    HeadingText {
        text: qsTr("%n block(s) selected", "", root.inspector.selectedCount)
    }
    NoteText {
        width: root.width
        text: ("" + root.inspector.selectedBlocks).replace(/,/g, ", ")
        maximumLineCount: 3
        elide: Text.ElideRight
        font.family: Theme.mono
        color: Theme.text3
    }
    FieldList {
        width: root.width
        fields: root.fields
        model: root.inspector.parameters
        heading: qsTr("Shared parameters")
        emptyText: qsTr("These blocks share only the fields below.")
        onFocused: field => root.focused(field)
    }
    FieldList {
        width: root.width
        fields: root.fields
        model: root.inspector.properties
        heading: qsTr("In the graph")
        onFocused: field => root.focused(field)
    }
    FieldList {
        width: root.width
        fields: root.fields
        model: root.inspector.threads
        heading: root.inspector.threadsTitle
        onFocused: field => root.focused(field)
    }
}
