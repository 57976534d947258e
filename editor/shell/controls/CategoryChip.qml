import QtQuick

/// The icon of a block's type on the colour of its category, or the colour alone.
Rectangle {
    id: root

    property string category
    /// Icon of the block; without one, the chip shows the category's.
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
        // Even like the chip, so that it is centred on whole pixels.
        size: Math.max(8, root.width - 2 * Math.round(root.width * 0.1))
    }
}
