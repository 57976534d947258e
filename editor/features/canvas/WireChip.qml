import QtQuick
import Weir

/// Item type and rate of a wire, below its middle; above it if a block or its pill is in the way.
Pill {
    id: root

    required property GraphView view
    required property WireInspector wires
    required property string key

    readonly property real below: at.y + Theme.space2
    readonly property real above: at.y - Theme.space2 - height

    property int answers: 0
    readonly property point at: {
        const until = [answers, view.zoom, view.offsetX, view.offsetY]
        return until.length > 0 && key !== "" ? view.viewAt(wires.middle(key)) : Qt.point(0, 0)
    }

    /// Separate from `y`: the binding of a place also depends on all that it reads in C++ (graph_view.h).
    readonly property real free: Math.round(isFree(below, height + Theme.pill) || !isFree(above, height) ? below : above)

    function isFree(top: real, tall: real): bool {
        return view.blocksUnder(Qt.rect(x, top, width, tall)) === 0
    }

    x: Math.round(at.x - width / 2)
    y: free
    implicitHeight: 18
    visible: view.detailed && key !== "" && text !== ""
    text: answers >= 0 ? wires.chip(key) : ""
    foreground: Theme.text2
    background: Theme.canvas
    border.color: Theme.line

    Connections {
        target: root.wires
        function onChanged() { root.answers += 1 }
    }
}
