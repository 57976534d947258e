pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Menu with a list of actions.
Menu {
    id: root

    required property Actions actions
    property var ids: []
    /// True while a key opens the menu.
    property bool byKey: false

    /// Opened by a key, the menu selects its first enabled entry.
    function begin() {
        currentIndex = Array.from({ length: count }, (_, index) => index).find(index => itemAt(index).enabled) ?? -1
    }

    implicitWidth: {
        let width = 300
        for (let index = 0; index < count; ++index)
            width = Math.max(width, itemAt(index).implicitWidth + 2 * padding)
        return width
    }
    padding: Theme.space1
    enter: FadeIn {}
    onAboutToShow: actions.refresh()
    onOpened: {
        // Ignore a pointer that happens to rest where the menu opens.
        if (byKey && (currentIndex < 0 || (itemAt(currentIndex) as MenuItem)?.hovered))
            begin()
        byKey = false
    }

    delegate: ActionMenuItem {}
    background: Rectangle {
        radius: Theme.radiusButton
        color: Theme.pane
        border.color: Theme.line
    }

    Instantiator {
        model: root.ids
        delegate: ActionMenuItem {
            required property string modelData

            actions: root.actions
            actionId: modelData
        }
        onObjectAdded: (index, object) => root.insertItem(index, object)
        onObjectRemoved: (index, object) => root.removeItem(object)
    }
}
