import QtQuick

/// Leads the keyboard from pane to pane: within one, Tab does. What is not seen does not keep it.
QtObject {
    id: root

    /// The view that is chosen, then what is beside it. One with an `inside` is entered there, if it can be.
    required property list<Item> panes
    /// Item that has the keyboard.
    required property Item focused

    readonly property Timer recovery: Timer {
        interval: 0 // all of another view is there then
        running: root.focused !== null && !root.focused.visible
        onTriggered: root.lost()
    }

    /// The item that had the keyboard is no longer seen.
    signal lost()

    function holds(pane: Item, item: Item): bool {
        for (let above = item; above; above = above.parent)
            if (above === pane)
                return true
        return false
    }

    /// To where the keyboard last was in what keeps that, else to the first place in it; where it is already, to its
    /// `home`. False: there is none.
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

    /// To the pane `step` after the one that has the keyboard, of those that are shown; to the view from elsewhere.
    function go(step: int) {
        const shown = Array.from(panes).filter(pane => pane.visible)
        const at = shown.findIndex(pane => root.holds(pane, root.focused))
        const pane = at < 0 ? shown[0] : shown[(at + step + shown.length) % shown.length]
        const inside = pane["inside"] ?? null
        if (inside === null || !enter(inside, null, Qt.TabFocusReason))
            enter(pane, null, Qt.TabFocusReason)
    }
}
