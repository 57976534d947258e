import QtQuick
import Weir

/// The map of the whole flowgraph, in the corner of the canvas while there is more than fits.
Minimap {
    id: root

    objectName: "minimap"
    width: 168
    height: 108
    background: Theme.pane
    borderColor: Theme.nodeBorder
    accentColor: Theme.accent
    shadeColor: Qt.alpha(Theme.canvas, 0.45)
    wireColor: Theme.nodeBorder
    categoryColors: Theme.categoryColors
    decorColors: Theme.decorColors
    Accessible.role: Accessible.Graphic
    Accessible.name: qsTr("Map of the flowgraph")
    Accessible.description: qsTr("A click or a drag moves the view")
}
