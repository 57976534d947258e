import QtQuick

Rectangle {
    id: root

    required property int index
    required property string type
    required property string title
    required property string category
    required property string documentation
    property bool searching: false

    readonly property bool current: searching && ListView.isCurrentItem

    signal addRequested()
    /// In window coordinates.
    signal dropped(x: real, y: real)

    objectName: "palette:" + type
    height: 28
    color: hover.hovered || current ? Theme.alt : "transparent"
    Accessible.role: Accessible.ListItem
    Accessible.name: title
    Accessible.description: documentation
    Accessible.onPressAction: addRequested()

    Hint {
        shown: hover.hovered && !drag.active
        text: root.documentation
    }
    CategoryChip {
        x: 14
        y: 8
        width: 12
        height: 12
        radius: 3
        glyph: false
        category: root.category
    }
    PlainText {
        x: 36
        y: 5
        width: parent.width - x - 8
        elide: Text.ElideRight
        text: root.title
    }
    HoverHandler { id: hover }
    TapHandler {
        onTapped: root.ListView.view.currentIndex = root.index
        onDoubleTapped: root.addRequested()
    }
    DragHandler {
        id: drag
        target: null
        onActiveChanged: if (!active) root.dropped(centroid.scenePosition.x, centroid.scenePosition.y)
    }
    Rectangle {
        parent: root.Window.contentItem
        x: drag.centroid.scenePosition.x - 80
        y: drag.centroid.scenePosition.y - 20
        z: 100
        width: 160
        height: 40
        visible: drag.active
        opacity: 0.7
        radius: Theme.radiusNode
        color: Theme.node
        border.color: Theme.accent

        CategoryChip {
            x: 10
            y: 10
            category: root.category
        }
        PlainText {
            x: 38
            y: 11
            text: root.title
            font.weight: Font.DemiBold
        }
    }
}
