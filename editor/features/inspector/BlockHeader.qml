import QtQuick
import Weir

Column {
    id: root

    required property Inspector inspector

    spacing: Theme.space1

    Item {
        width: root.width
        height: Theme.barControl

        CategoryChip {
            y: 6
            category: root.inspector.category
            type: root.inspector.blockType
        }
        QuietBox {
            id: nameBox

            objectName: "field:id"
            x: 28
            width: parent.width - 28
            height: Theme.barControl
            font.family: Theme.sans
            font.pixelSize: Theme.sizeHeading
            font.weight: Font.DemiBold
            text: root.inspector.blockId
            Accessible.name: qsTr("Name of the block")
            onEditingFinished: if (!root.inspector.renameBlock(text)) text = root.inspector.blockId
            Keys.onEscapePressed: event => {
                event.accepted = text !== root.inspector.blockId
                text = root.inspector.blockId
            }

            Connections {
                target: root.inspector
                function onBlockIdChanged() { nameBox.text = root.inspector.blockId }
            }
        }
    }
    Item {
        width: root.width
        height: Theme.smallControl

        TextInput {
            id: type

            anchors.verticalCenter: parent.verticalCenter
            width: Math.min(implicitWidth, parent.width - Theme.space6)
            clip: true
            readOnly: true
            selectByMouse: true
            activeFocusOnTab: false
            text: root.inspector.itemType === "" ? root.inspector.blockType
                                                 : root.inspector.blockType + "<" + root.inspector.itemType + ">"
            font.family: Theme.mono
            font.pixelSize: Theme.sizeSmall
            color: Theme.text3
            selectionColor: Theme.accent
            selectedTextColor: Theme.accentText
            Accessible.name: qsTr("Type of the block")
        }
        IconButton {
            objectName: "copyType"
            x: type.width + Theme.space1
            width: Theme.smallControl
            height: Theme.smallControl
            icon.name: "copy"
            hint: qsTr("Copy the type")
            onClicked: {
                type.selectAll()
                type.copy()
                type.deselect()
            }
        }
    }
}
