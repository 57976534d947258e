pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Each block's worker now, and its worker under the previewed deployment.
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
