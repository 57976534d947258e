import QtQuick
import Weir

/// Mark of a run in which the time of each call was measured.
Pill {
    id: root

    implicitHeight: 18
    text: qsTr("profiled")
    Accessible.role: Accessible.StaticText
    Accessible.name: hint.text

    HoverHandler { id: hover }
    Hint {
        id: hint

        shown: hover.hovered
        text: qsTr("Profiled: the time of each call was measured, which costs about 45 ns per call. The throughput is lower "
                   + "than that of other runs.")
    }
}
