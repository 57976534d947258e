import QtQuick
import Weir

/// Visible side panes and their maximum widths: a small window leaves the middle the width that it needs.
QtObject {
    id: root

    required property Memory memory
    /// Width of the window.
    required property real room

    property bool palette: recall("palette")
    property bool inspector: recall("inspector")

    readonly property int middle: 560
    readonly property int paletteLeast: 160
    readonly property int inspectorLeast: 256
    readonly property real paletteMost: Math.max(paletteLeast, Math.min(400, (room - middle) * 0.4))
    readonly property real inspectorMost: Math.max(inspectorLeast, Math.min(420, (room - middle) * 0.6))

    function recall(pane: string): bool {
        const kept = memory.value("pane/" + pane, true)
        return kept === true || kept === "true"
    }
    function setPalette(wanted: bool) {
        palette = wanted
        memory.setValue("pane/palette", wanted)
    }
    function setInspector(wanted: bool) {
        inspector = wanted
        memory.setValue("pane/inspector", wanted)
    }
}
