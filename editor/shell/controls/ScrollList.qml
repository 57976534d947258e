import QtQuick
import QtQuick.Controls.Basic
import Weir

/// A list of rows that scrolls, as every list of the window does. While it has the keys, a ring is round the current row.
ListView {
    id: root

    /// Where arrows begin; -1: nowhere.
    property int first: 0
    /// Whether the ring is round the row; else rows mark it themselves.
    property bool ringed: true
    readonly property Item keysAt: activeFocus ? Window.activeFocusItem : null

    clip: true
    boundsBehavior: Flickable.StopAtBounds
    // Rows that are made ahead of their turn are cancelled, with a warning, when the model grows shorter meanwhile.
    cacheBuffer: 0
    Accessible.role: Accessible.List
    ScrollBar.vertical: SlimScrollBar {}
    onActiveFocusChanged: if (activeFocus && currentIndex < 0 && first < count) currentIndex = first
    // Arrows go on from the row that Tab led to.
    onKeysAtChanged: {
        const row = keysAt?.parent === contentItem ? indexAt(keysAt.x, keysAt.y + keysAt.height / 2) : -1
        if (row >= 0)
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
