pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// A new block under the pointer that drags it, in its final size, with the effect of a drop.
Item {
    id: root

    required property Editor editor
    required property GraphCanvas canvas
    property alias type: shape.type
    property string category
    /// Position of the pointer, in window coordinates.
    property real pointerX
    property real pointerY
    property string landing

    readonly property real zoom: Math.max(canvas.view.zoom, 0.3)
    readonly property point grip: editor.tools.inserter.grip()

    /// Move the ghost to a position in window coordinates.
    function follow(type: string, category: string, x: real, y: real) {
        root.type = type
        root.category = category
        pointerX = x
        pointerY = y
        const point = canvas.mapFromItem(null, x, y)
        landing = canvas.contains(point) ? editor.tools.inserter.landing(type, canvas.view.sceneAt(point.x, point.y)) : ""
    }

    objectName: "blockGhost"
    x: pointerX - grip.x * zoom
    y: pointerY - grip.y * zoom
    z: 100
    width: Math.round(shape.size.width * zoom)
    height: Math.round(shape.size.height * zoom)
    visible: type !== ""

    BlockShape {
        id: shape
        tools: root.editor.tools
    }
    Rectangle {
        anchors.fill: parent
        // Let the wire below shine through, which will take the block.
        opacity: root.canvas.view.overDropTarget ? 0.35 : 0.8
        radius: Theme.radiusNode
        color: Theme.node
        border.width: Theme.strokeStrong
        border.color: Theme.accent

        CategoryChip {
            id: chip

            x: 10 * root.zoom
            y: 10 * root.zoom
            width: Math.round(20 * root.zoom)
            height: width
            category: root.category
            type: root.type
        }
        PlainText {
            anchors.left: chip.right
            anchors.leftMargin: Theme.space2 * root.zoom
            anchors.verticalCenter: chip.verticalCenter
            width: parent.width - x - Theme.space2
            elide: Text.ElideRight
            text: shape.title
            font.weight: Font.DemiBold
            font.pixelSize: Math.max(Theme.sizeTiny, Math.round(Theme.sizeBody * root.zoom))
        }
        Repeater {
            model: [...shape.inputs, ...shape.outputs]

            PortMark {
                required property int index
                required property string modelData
                readonly property bool output: index >= shape.inputs.length

                x: (output ? root.width : 0) - width / 2
                y: Math.round(shape.portY(output ? index - shape.inputs.length : index) * root.zoom) - height / 2
                width: 2 * Math.round(8 * Math.min(Math.max(root.zoom, 0.6), 1.6))
                height: width
                type: modelData
                color: Theme.typeColor(modelData)
                fill: Theme.node
                connected: false
            }
        }
    }
    Pill {
        objectName: "landing"
        y: parent.height + 6
        implicitHeight: Theme.pill
        visible: root.landing !== ""
        text: root.landing
        foreground: Theme.text
        background: Theme.pane
        border.color: Theme.control
    }
}
