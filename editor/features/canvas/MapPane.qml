import QtQuick
import Weir

/// Map of the whole flowgraph in the corner of the canvas, while the graph is larger than the view.
Minimap {
    id: root

    /// True if it would cover blocks of a graph that fits without it.
    property bool hiding: false

    objectName: "minimap"
    width: 168
    height: 108
    colors: Theme.canvasColors
    Accessible.role: Accessible.Graphic
    Accessible.name: qsTr("Map of the flowgraph")
    Accessible.description: qsTr("Click or drag to move the view")
    onExceedingChanged: rest.look()
    onYChanged: rest.restart()

    // Decide once the view rests, to avoid flicker while it moves.
    Timer {
        id: rest

        function look() {
            root.hiding = root.view.isNearlyAll() && root.view.blocksUnder(Qt.rect(root.x, root.y, root.width, root.height)) > 0
            root.update() // it was not updated while it was hidden
        }

        interval: Theme.motion
        onTriggered: look()
    }
    Connections {
        target: root.view
        function onViewChanged() { rest.restart() }
    }
}
