import QtQuick
import QtQuick.Controls.Basic
import Weir

Rectangle {
    id: root

    required property Editor editor

    readonly property Inspector inspector: editor.inspector

    color: Theme.pane

    Flickable {
        id: scroll

        anchors.fill: parent
        contentHeight: content.height + 32
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        interactive: contentHeight > height
        ScrollBar.vertical: ScrollBar { policy: ScrollBar.AsNeeded }

        Item {
            id: content

            x: 16
            y: 16
            width: scroll.width - 32
            height: Math.max(block.visible ? block.height : 0, project.visible ? project.height : 0)

            BlockInspector {
                id: block
                width: parent.width
                visible: root.inspector.hasBlock
                inspector: root.inspector
            }
            ProjectInspector {
                id: project
                width: parent.width
                visible: root.inspector.selectedCount === 0
                editor: root.editor
            }
            PlainText {
                visible: root.inspector.selectedCount > 1
                text: qsTr("%1 blocks selected").arg(root.inspector.selectedCount)
                font.pixelSize: Theme.sizeHeading
                font.weight: Font.DemiBold
            }
        }
    }
    Divider { height: parent.height }
}
