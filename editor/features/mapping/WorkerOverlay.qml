pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Blocks in the colours of the workers that run them.
Overlay {
    id: root

    readonly property var workers: editor.mapping.blockColours

    role: "workers"
    blockColors: Theme.laneColorsOf(workers)
    plain: Object.keys(workers).length > 0
    block: LaneMark { role: root.role }
    legend: WorkerLegend {
        visible: root.plain
        mapping: root.editor.mapping
        hidesRun: root.editor.results.heat.known
    }
}
