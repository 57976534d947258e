import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Scrolling list of rows, used for all lists of the window. While it has the focus, a ring marks the current row.
ListView {
    id: root

    /// Row where arrow keys begin; -1: none.
    property int first: 0
    /// True if a ring marks the current row; otherwise rows mark it themselves.
    property bool ringed: true
    /// True if Page Up, Page Down, Home and End move the current row; otherwise the list handles them itself.
    property bool paged: true
    readonly property Item keysAt: activeFocus ? Window.activeFocusItem : null

    /// Moves a page, or to an end. Returns false for other keys.
    function goBy(key: int): bool {
        if (count === 0)
            return false
        const page = Math.max(1, Math.floor(height * count / Math.max(1, contentHeight)) - 1)
        const to = key === Qt.Key_PageDown ? currentIndex + page : key === Qt.Key_PageUp ? currentIndex - page
                 : key === Qt.Key_End ? count - 1 : key === Qt.Key_Home ? 0 : NaN
        if (isNaN(to))
            return false
        currentIndex = Math.max(0, Math.min(count - 1, to))
        positionViewAtIndex(currentIndex, ListView.Contain) // without animation, which would leave the row half hidden
        return true
    }

    clip: true
    boundsBehavior: Flickable.StopAtBounds
    // Qt cancels rows that it creates in advance, with a warning, if the model becomes shorter in the meantime.
    cacheBuffer: 0
    Accessible.role: Accessible.List
    ScrollBar.vertical: SlimScrollBar {}
    onActiveFocusChanged: if (activeFocus && currentIndex < 0 && first < count) currentIndex = first
    Keys.onPressed: event => event.accepted = root.paged && root.goBy(event.key)
    // Arrows continue from the row that Tab focused.
    onKeysAtChanged: {
        // Not by position: the list focuses a row before it positions it.
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
