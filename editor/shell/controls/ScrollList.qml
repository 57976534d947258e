import QtQuick
import QtQuick.Controls.Basic
import Weir

/// A list of rows that scrolls, as every list of the window does. While it has the keys, a ring is round the current row.
ListView {
    id: root

    /// Row where arrows begin; -1: none.
    property int first: 0
    /// True if the ring is round the row; else rows mark it themselves.
    property bool ringed: true
    /// True if keys for pages and ends move the current row; else the list has a way of its own.
    property bool paged: true
    readonly property Item keysAt: activeFocus ? Window.activeFocusItem : null

    /// A page on or back, or to an end. False: the key means none of that.
    function goBy(key: int): bool {
        if (count === 0)
            return false
        const page = Math.max(1, Math.floor(height * count / Math.max(1, contentHeight)) - 1)
        const to = key === Qt.Key_PageDown ? currentIndex + page : key === Qt.Key_PageUp ? currentIndex - page
                 : key === Qt.Key_End ? count - 1 : key === Qt.Key_Home ? 0 : NaN
        if (isNaN(to))
            return false
        currentIndex = Math.max(0, Math.min(count - 1, to))
        positionViewAtIndex(currentIndex, ListView.Contain) // at once: gliding there leaves it half out of sight
        return true
    }

    clip: true
    boundsBehavior: Flickable.StopAtBounds
    // Rows that are made ahead of their turn are cancelled, with a warning, when the model grows shorter meanwhile.
    cacheBuffer: 0
    Accessible.role: Accessible.List
    ScrollBar.vertical: SlimScrollBar {}
    onActiveFocusChanged: if (activeFocus && currentIndex < 0 && first < count) currentIndex = first
    Keys.onPressed: event => event.accepted = root.paged && root.goBy(event.key)
    // Arrows go on from the row that Tab led to.
    onKeysAtChanged: {
        // Not by its place: the list gives a row the keys before it has one.
        if (!keysAt || keysAt === currentItem || keysAt.parent !== contentItem)
            return
        for (let row = 0; row < count; ++row)
            if (itemAtIndex(row) === keysAt)
                currentIndex = row
    }

    Item {
        x: root.currentItem?.x ?? 0
        y: root.currentItem?.y ?? 0
        z: 2
        width: root.currentItem?.width ?? 0
        height: root.currentItem?.height ?? 0
        visible: root.ringed && root.currentItem !== null

        FocusRing {
            anchors.margins: Theme.stroke
            radius: Theme.radiusField
            shown: root.activeFocus
        }
    }
}
