import QtQuick
import Weir

/// The tabs of one block.
Item {
    id: root

    required property Editor editor
    required property Inspector inspector

    readonly property int tab: inspector.tab
    readonly property FilterDesign design: designed.filter

    signal focused(field: Item)
    signal designEntered()

    implicitHeight: tab === Inspector.Parameters ? parameters.height : tab === Inspector.Ports ? ports.height
                    : tab === Inspector.Runtime ? runtime.height : docs.height

    Column {
        id: parameters

        width: root.width
        visible: root.tab === Inspector.Parameters

        FieldList {
            width: root.width
            fields: root.editor.fields
            model: root.inspector.parameters
            emptyText: qsTr("This block has no parameters.")
            onFocused: field => root.focused(field)
        }
        DesignPane {
            id: designed

            width: root.width
            editor: root.editor
            onFocused: field => root.focused(field)
            onEntered: root.designEntered()
        }
        FieldList {
            width: root.width
            fields: root.editor.fields
            model: root.inspector.properties
            heading: qsTr("In the graph")
            onFocused: field => root.focused(field)
        }
        FieldList {
            width: root.width
            fields: root.editor.fields
            model: root.inspector.threads
            heading: root.inspector.threadsTitle
            onFocused: field => root.focused(field)
        }
    }
    PortsTab {
        id: ports
        width: root.width
        visible: root.tab === Inspector.Ports
        inspector: root.inspector
    }
    RuntimeTab {
        id: runtime
        width: root.width
        visible: root.tab === Inspector.Runtime
        editor: root.editor
        inspector: root.inspector
    }
    DocsTab {
        id: docs
        width: root.width
        visible: root.tab === Inspector.Docs
        inspector: root.inspector
    }
}
