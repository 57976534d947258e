import QtQuick
import Weir

/// Name of a frame or a note for screen readers; the canvas paints it and handles its events.
Item {
    required property string kind
    required property string key
    required property string words
    required property rect sceneRect
    required property bool selected
    required property GraphView view

    objectName: kind + ":" + key
    x: sceneRect.x * view.zoom + view.offsetX
    y: sceneRect.y * view.zoom + view.offsetY
    width: sceneRect.width * view.zoom
    height: sceneRect.height * view.zoom
    Accessible.role: kind === "frame" ? Accessible.Grouping : Accessible.Note
    Accessible.name: kind === "frame" ? qsTr("Frame: %1").arg(words) : qsTr("Note: %1").arg(words)
    Accessible.selected: selected
}
