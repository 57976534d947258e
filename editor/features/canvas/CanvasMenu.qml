import QtQuick
import Weir

/// Menu of the right button for the selection, a wire, a frame, a note or the canvas.
ActionMenu {
    id: root

    required property Editor editor

    readonly property var forBlocks: ["graph.connect", "-", "edit.cut", "edit.copy", "edit.duplicate", "edit.delete",
        "graph.remove_and_heal", "-", "graph.enable", "graph.disable", "graph.bypass", "-",
        "graph.group", "graph.frame", "graph.rename", "graph.ungroup", "graph.repeat", "graph.unfold", "-", "mapping.map_to"]
    readonly property var forSeveral: ["-", "graph.align_left", "graph.align_centre", "graph.align_right", "graph.align_top",
        "graph.align_middle", "graph.align_bottom", "graph.distribute_horizontally", "graph.distribute_vertically",
        "graph.layout_selection"]
    readonly property var forFrame: ["graph.rename", "-"]
    readonly property var forNote: ["graph.edit_note", "-"]
    readonly property var forParts: ["edit.cut", "edit.copy", "edit.duplicate", "edit.delete"]
    readonly property var forWire: ["graph.insert_on_wire", "edit.delete"]
    readonly property var forCanvas: ["graph.insert", "edit.paste", "edit.select_all", "edit.find", "-", "graph.layout", "view.fit"]

    function openAt(point: point, blocks: int, wires: int, parts: string) {
        ids = blocks > 1 ? forBlocks.concat(forSeveral) : blocks === 1 ? forBlocks : wires > 0 ? forWire
            : parts === "frame" ? forFrame.concat(forParts) : parts === "note" ? forNote.concat(forParts)
            : parts !== "" ? forParts : forCanvas
        // Lay out now: until the next frame, the entries would lie on top of each other at the last menu's place.
        const entries = contentItem as ListView
        entries.forceLayout()
        popup(point)
    }

    objectName: "canvasMenu"
    actions: editor.actions
}
