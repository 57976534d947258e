pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Numbers of a run on blocks and on the buffers between them.
Overlay {
    id: root

    readonly property HeatMap heat: editor.results.heat
    readonly property var wires: heat.wires

    role: "load"
    blockColors: {
        const steps = heat.steps
        const colours = {}
        for (const block in steps)
            colours[block] = Theme.heatFills[steps[block]]
        return colours
    }
    wireMarks: {
        const marks = {}
        for (const wire in wires)
            if (wires[wire].step >= 0)
                marks[wire] = { "color": Theme.fillBands[wires[wire].step], "width": wires[wire].width }
        return marks
    }
    block: BlockHeat { stale: root.editor.results.shown.stale }
    legend: HeatLegend {
        editor: root.editor
        onCoveredChanged: root.covered = covered
    }

    function wireWords(key: string): string {
        return wires[key]?.text ?? ""
    }
}
