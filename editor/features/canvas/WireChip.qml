import QtQuick
import Weir

/// What flows through a wire, below the middle of it: a short wire would lie under the chip.
Pill {
    id: root

    required property GraphView view
    required property WireInspector wires
    required property string key

    property int answers: 0
    readonly property point at: {
        const until = [answers, view.zoom, view.offsetX, view.offsetY]
        return until.length > 0 && key !== "" ? view.viewAt(wires.middle(key)) : Qt.point(0, 0)
    }

    x: Math.round(at.x - width / 2)
    y: Math.round(at.y + Theme.space2)
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
