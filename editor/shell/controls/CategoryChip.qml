import QtQuick

/// Icon of a block type on the colour of its category, or the colour alone.
Rectangle {
    id: root

    property string category
    /// Block type whose icon is shown; if it has none, the category's icon is.
    property string type
    property bool glyph: true

    width: Theme.iconLarge
    height: Theme.iconLarge
    radius: Theme.radiusChip
    color: Theme.categoryColor(category)

    Icon {
        anchors.centerIn: parent
        visible: root.glyph
        name: root.glyph && root.type !== "" ? "block/" + root.type : ""
        fallback: root.glyph && root.category !== "" ? "category/" + root.category : ""
        color: Theme.chipText
        // An even size like the chip's centres it on whole pixels.
        size: Math.max(8, root.width - 2 * Math.round(root.width * 0.1))
    }
}
