import QtQuick
import Weir

Column {
    id: root

    required property Inspector inspector

    spacing: 8

    Item {
        width: root.width
        height: 32

        CategoryChip {
            y: 6
            category: root.inspector.category
        }
        TextBox {
            id: nameBox

            objectName: "field:id"
            x: 28
            width: parent.width - 28
            height: 32
            font.family: Theme.sans
            font.pixelSize: Theme.sizeHeading
            font.weight: Font.DemiBold
            text: root.inspector.blockId
            Accessible.name: qsTr("Name of the block")
            onEditingFinished: if (!root.inspector.renameBlock(text)) text = root.inspector.blockId
            Keys.onEscapePressed: text = root.inspector.blockId

            Connections {
                target: root.inspector
                function onChanged() { nameBox.text = root.inspector.blockId }
            }
        }
    }
    PlainText {
        text: root.inspector.blockType
        font.family: Theme.mono
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
    Rectangle {
        width: root.width
        height: problem.implicitHeight + 16
        visible: root.inspector.problem !== ""
        radius: Theme.radiusButton
        color: Theme.errorBackground

        PlainText {
            id: problem
            x: 12
            y: 8
            width: parent.width - 24
            text: root.inspector.problem
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeSmall
            color: Theme.error
        }
    }
    FieldList {
        width: root.width
        inspector: root.inspector
        model: root.inspector.parameters
        heading: qsTr("Parameters")
    }
    FieldList {
        width: root.width
        inspector: root.inspector
        model: root.inspector.properties
        heading: qsTr("In the graph")
    }
    PlainText {
        width: root.width
        topPadding: 8
        text: root.inspector.documentation
        wrapMode: Text.Wrap
        lineHeight: 1.15
        font.pixelSize: Theme.sizeSmall
        color: Theme.text2
    }
}
