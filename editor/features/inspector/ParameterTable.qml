pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// The parameters of the project, and a field to add one.
Column {
    id: root

    required property ProjectParameters parameters
    required property Fields fields
    required property SweepDesign sweep

    signal focused(field: Item)

    SectionText {
        width: root.width
        height: Theme.row
        topPadding: Theme.space2
        text: qsTr("Project parameters")
    }
    NoteText {
        width: root.width
        visible: rows.count === 0
        bottomPadding: Theme.space2
        text: qsTr("None. Blocks can use them in expressions, and sweeps can vary them.")
        color: Theme.text3
    }
    Repeater {
        id: rows

        model: root.parameters.model

        ParameterEditor {
            width: root.width
            parameters: root.parameters
            fields: root.fields
            sweep: root.sweep
        }
    }
    Item {
        width: root.width
        height: Theme.barControl

        // Aligned with the fields above, since it becomes one of them.
        TextBox {
            id: parameterName

            objectName: "newParameter"
            y: Theme.strokeStrong
            width: parent.width - Theme.space5
            placeholderText: qsTr("new parameter")
            Accessible.name: qsTr("Name of a new project parameter")
            onAccepted: if (root.parameters.add(text)) clear()
        }
        IconButton {
            objectName: "addParameter"
            x: parent.width - width
            y: Theme.strokeStrong
            width: Theme.smallControl
            icon.name: "plus"
            hint: qsTr("Add project parameter")
            enabled: parameterName.text !== ""
            onClicked: if (root.parameters.add(parameterName.text)) parameterName.clear()
        }
    }
    Connections {
        target: root.parameters
        function onFocusRequested(name, field) {
            later.name = name
            later.field = field
            later.restart()
        }
    }
    Timer {
        id: later

        property string name
        property string field

        interval: 0
        onTriggered: {
            for (let row = 0; row < rows.count; ++row) {
                const editor = rows.itemAt(row) as ParameterEditor
                if (editor?.name !== name)
                    continue
                editor.takeFocus(field)
                root.focused(editor)
            }
        }
    }
}
