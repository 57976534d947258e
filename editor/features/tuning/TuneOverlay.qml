pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// The workers that blocks have now, and those that a deployment under preview would give them.
Overlay {
    id: root

    readonly property var workers: editor.tuner.blockColours

    role: "moves"
    blockColors: Theme.laneColorsOf(workers)
    plain: Object.keys(workers).length > 0
    block: LaneMark {
        role: root.role
        main: colours[colours.length - 1] ?? 0
    }
    legend: TuneLegend { tuner: root.editor.tuner }
}
