import QtQuick

/// Moves the keyboard focus from pane to pane; Tab moves within a pane. A hidden item loses the focus.
QtObject {
    id: root

    /// The current view, then its side panes. A view with an `inside` is entered there if that can take the focus.
    required property list<Item> panes
    /// Item that has the keyboard focus.
    required property Item focused

    readonly property Timer recovery: Timer {
        interval: 0 // waits until the other view has its items
        running: root.focused !== null && !root.focused.visible
        onTriggered: root.lost()
    }

    /// The item that had the keyboard focus was hidden.
    signal lost()

    function holds(pane: Item, item: Item): bool {
        for (let above = item; above; above = above.parent)
            if (above === pane)
                return true
        return false
    }

    /// Enters a pane: at its last focused item if it keeps one, otherwise at its first. If the pane has the focus
    /// already, enters its `home`. Returns false if there is no such item.
    function enter(pane: Item, home: Item, reason: int): bool {
        const again = holds(pane, focused) && focused !== pane
        pane.forceActiveFocus(reason)
        if (!again && focused !== pane && focused.visible)
            return true
        const within = again && home ? home : pane.nextItemInFocusChain()
        if (holds(pane, within) && !pane.activeFocusOnTab)
            within.forceActiveFocus(reason)
        return focused !== pane || pane.activeFocusOnTab
    }

    /// Moves `step` visible panes on from the focused one, or to the view if no pane has the focus.
    function go(step: int) {
        const shown = Array.from(panes).filter(pane => pane.visible)
        const at = shown.findIndex(pane => root.holds(pane, root.focused))
        const pane = at < 0 ? shown[0] : shown[(at + step + shown.length) % shown.length]
        const inside = pane["inside"] ?? null
        if (inside === null || !enter(inside, null, Qt.TabFocusReason))
            enter(pane, null, Qt.TabFocusReason)
    }
}
