import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Page that fills the available room, and scrolls if it needs more; it follows the keyboard focus.
Flickable {
    id: root

    /// Least height at which nothing is cut.
    property real needed: 0
    readonly property Item keysAt: Window.activeFocusItem

    function reveal(item: Item) {
        // A pressed item must stay under the pointer.
        if (pointer.hovered && item.contains(item.mapFromItem(root, pointer.point.position)))
            return
        const y = item.mapToItem(contentItem, 0, 0).y
        if (y < contentY || y + Math.min(item.height, height) > contentY + height)
            contentY = Math.max(0, Math.min(y - Theme.space5, contentHeight - height))
    }

    contentWidth: width
    contentHeight: Math.max(height, needed)
    boundsBehavior: Flickable.StopAtBounds
    flickableDirection: Flickable.VerticalFlick
    clip: true
    ScrollBar.vertical: SlimScrollBar {}
    HoverHandler { id: pointer }
    onKeysAtChanged: {
        for (let above = keysAt; above; above = above.parent)
            if (above === contentItem)
                reveal(keysAt)
    }
}
