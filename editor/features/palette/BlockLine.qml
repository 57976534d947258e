import QtQuick

/// A block type in one line: its title, and in grey the reason for its position. The star shows under the pointer, in
/// the current row, and for favourites.
Rectangle {
    id: root

    required property string type
    required property string title
    required property string category
    required property string documentation
    required property string reason
    required property bool favourite
    required property bool current
    /// Left edge of the star, or of its place.
    readonly property real free: star.visible ? star.x - 4 : width - 8
    property bool quiet: false ///< true during a drag, when no hint may pop up

    signal chosen()
    signal doubled()
    signal starred()

    height: Theme.row
    radius: Theme.radiusField
    color: current ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"
    Accessible.role: Accessible.ListItem
    Accessible.name: title
    Accessible.description: documentation
    Accessible.onPressAction: chosen()

    CategoryChip {
        id: chip

        x: 8
        anchors.verticalCenter: parent.verticalCenter
        category: root.category
        type: root.type
    }
    PlainText {
        id: words

        objectName: root.objectName + ":title"
        anchors.left: chip.right
        anchors.leftMargin: Theme.space2
        anchors.verticalCenter: parent.verticalCenter
        width: Math.min(implicitWidth, root.free - x)
        elide: Text.ElideRight
        text: root.title
    }
    PlainText {
        objectName: root.objectName + ":reason"
        anchors.left: words.right
        anchors.leftMargin: Theme.space2
        width: root.free - x
        anchors.baseline: words.baseline
        horizontalAlignment: Text.AlignRight
        // A few letters would say nothing.
        visible: width > 32
        elide: Text.ElideRight
        text: root.reason
        font.pixelSize: Theme.sizeTiny
        color: Theme.text3
    }
    Hint {
        objectName: "hint"
        // Beside the line, because the next lines are below it.
        x: root.width + Theme.space3
        y: 0
        shown: hover.hovered && !root.quiet && !tap.pressed
        text: root.title + "\n" + root.documentation
    }
    HoverHandler { id: hover }
    TapHandler {
        id: tap
        onTapped: root.chosen()
        onDoubleTapped: root.doubled()
    }
    FavouriteStar {
        id: star

        objectName: root.objectName + ":star"
        anchors.right: parent.right
        anchors.rightMargin: Theme.space1
        anchors.verticalCenter: parent.verticalCenter
        visible: root.favourite || hover.hovered || root.current
        favourite: root.favourite
        onClicked: root.starred()
    }
}
