import QtQuick

/// A row of the palette: a block type to drag onto the canvas, or the heading of a group.
Item {
    id: root

    required property int index
    required property string type
    required property string title
    required property string category
    required property string documentation
    required property string reason
    required property bool favourite
    required property string group
    required property int count
    required property bool open
    property bool searching: false

    readonly property bool current: searching && ListView.isCurrentItem

    signal addRequested(type: string)
    signal starred(type: string)
    signal toggled(group: string)
    /// Position in window coordinates.
    signal dragged(type: string, category: string, x: real, y: real)
    signal dropped(type: string, x: real, y: real)

    /// Do what Enter does.
    function activate() {
        if (group === "")
            addRequested(type)
        else
            toggled(group)
    }

    height: Theme.row

    PaletteHeading {
        objectName: "group:" + root.group
        width: root.width
        visible: root.group !== ""
        group: root.group
        title: root.title
        count: root.count
        open: root.open
        current: root.current
        onToggled: root.toggled(root.group)
    }
    BlockLine {
        objectName: "palette:" + root.type
        width: root.width
        visible: root.group === ""
        type: root.type
        title: root.title
        category: root.category
        documentation: root.documentation
        reason: root.reason
        favourite: root.favourite
        current: root.current
        quiet: drag.active
        onChosen: root.ListView.view.currentIndex = root.index
        onDoubled: root.addRequested(root.type)
        onStarred: root.starred(root.type)

        DragHandler {
            id: drag
            target: null
            onCentroidChanged: if (active) root.dragged(root.type, root.category, centroid.scenePosition.x,
                                                        centroid.scenePosition.y)
            onActiveChanged: if (!active) root.dropped(root.type, centroid.scenePosition.x, centroid.scenePosition.y)
        }
    }
}
