import QtQuick

/// A block type in the palette, below the name of its family where a new one begins.
Item {
    id: root

    required property int index
    required property string type
    required property string title
    required property string family
    required property bool firstOfFamily
    required property string category
    required property string documentation
    property bool searching: false

    readonly property bool current: searching && ListView.isCurrentItem

    signal addRequested(type: string)
    /// In window coordinates.
    signal dropped(type: string, x: real, y: real)
    signal dragged(type: string, x: real, y: real)

    height: row.y + row.height

    PlainText {
        x: 12
        y: 12
        visible: root.firstOfFamily
        text: root.family
        font.pixelSize: Theme.sizeTiny
        font.weight: Font.DemiBold
        font.capitalization: Font.Capitalize
        color: Theme.text3
    }
    Rectangle {
        id: row

        objectName: "palette:" + root.type
        y: root.firstOfFamily ? 32 : 0
        width: root.width
        height: Math.max(28, words.height + 8)
        color: hover.hovered || root.current ? Theme.alt : "transparent"
        Accessible.role: Accessible.ListItem
        Accessible.name: root.title
        Accessible.description: root.documentation
        Accessible.onPressAction: root.addRequested(root.type)

        CategoryChip {
            x: Theme.space3
            anchors.verticalCenter: parent.verticalCenter
            category: root.category
            type: root.type
        }
        PlainText {
            id: words

            objectName: "paletteTitle:" + root.type
            x: 40
            anchors.verticalCenter: parent.verticalCenter
            width: parent.width - x - 8
            wrapMode: Text.Wrap
            maximumLineCount: 2
            elide: Text.ElideRight
            text: root.title
        }
        Hint {
            shown: hover.hovered && !drag.active
            text: words.truncated ? root.title + "\n" + root.documentation : root.documentation
        }
        HoverHandler { id: hover }
        TapHandler {
            onTapped: root.ListView.view.currentIndex = root.index
            onDoubleTapped: root.addRequested(root.type)
        }
        DragHandler {
            id: drag
            target: null
            onCentroidChanged: if (active) root.dragged(root.type, centroid.scenePosition.x, centroid.scenePosition.y)
            onActiveChanged: if (!active) root.dropped(root.type, centroid.scenePosition.x, centroid.scenePosition.y)
        }
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
            type: root.type
        }
        PlainText {
            x: 38
            y: 11
            width: parent.width - x - 8
            elide: Text.ElideRight
            text: root.title
            font.weight: Font.DemiBold
        }
    }
}
