import QtQuick
import Weir

/// The map of the whole flowgraph, in the corner of the canvas while there is more than fits.
Minimap {
    id: root

    /// It would lie over blocks of a graph that fits without it.
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

    // Once the view rests: nothing comes and goes while it moves.
    Timer {
        id: rest

        function look() {
            root.hiding = root.view.isNearlyAll() && root.view.blocksUnder(Qt.rect(root.x, root.y, root.width, root.height)) > 0
            root.update() // it did not follow while it was hidden
        }

        interval: Theme.motion
        onTriggered: look()
    }
    Connections {
        target: root.view
        function onViewChanged() { rest.restart() }
    }
}
