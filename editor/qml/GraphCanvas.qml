pragma ComponentBehavior: Bound

import QtQuick
import Weir

Rectangle {
    id: root

    required property Editor editor

    readonly property alias view: graphView

    color: Theme.canvas

    GraphView {
        id: graphView

        objectName: "canvas"
        anchors.fill: parent
        editor: root.editor
        focus: true
        Accessible.role: Accessible.Canvas
        Accessible.name: qsTr("Flowgraph: %1").arg(root.editor.summary)

        WireLayer {
            objectName: "wires"
            anchors.fill: parent
            view: graphView
            canvasColor: Theme.canvas
            dotColor: Theme.dots
            accentColor: Theme.accent
            errorColor: Theme.error
            mutedColor: Theme.unknownType
            labelColor: Theme.text2
            blockColor: Theme.node
            categoryColors: Theme.categoryColors
            typeColors: Theme.typeColors
        }
        Item {
            x: Math.round(graphView.offsetX)
            y: Math.round(graphView.offsetY)

            Repeater {
                model: root.editor.blocks
                delegate: BlockItem { view: graphView }
            }
        }
        Rectangle {
            x: graphView.selectionBox.x
            y: graphView.selectionBox.y
            width: graphView.selectionBox.width
            height: graphView.selectionBox.height
            visible: width > 0 || height > 0
            color: Qt.alpha(Theme.accent, 0.1)
            border.color: Theme.accent
        }
        Pill {
            x: graphView.pointer.x + 16
            y: graphView.pointer.y + 16
            implicitHeight: 22
            visible: graphView.connecting && graphView.connectionHint !== ""
            text: graphView.connectionHint
            foreground: Theme.error
            background: Theme.errorBackground
        }
        Pill {
            x: 16
            y: 16
            implicitHeight: 22
            visible: root.editor.pipesBadge !== ""
            text: root.editor.pipesBadge
            foreground: Theme.text
            background: Theme.alt
            border.color: Theme.line
        }
    }
    Column {
        anchors.centerIn: parent
        width: 360
        spacing: 8
        visible: root.editor.empty

        PlainText {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            text: qsTr("Nothing here yet")
            font.pixelSize: Theme.sizeTitle
            font.weight: Font.DemiBold
        }
        PlainText {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            wrapMode: Text.Wrap
            color: Theme.text2
            text: qsTr("Drag a source from the palette, or find one with Ctrl+F and press Enter. Ctrl+O opens a project.")
        }
    }
}
