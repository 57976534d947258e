import QtQuick

/// Leads the keyboard from pane to pane: within one, Tab does. What is not seen does not keep it.
QtObject {
    id: root

    /// The view that is chosen, then what is beside it.
    required property list<Item> panes
    /// What has the keyboard.
    required property Item focused

    readonly property Timer recovery: Timer {
        interval: 0 // all of another view is there then
        running: root.focused !== null && !root.focused.visible
        onTriggered: root.panes[0].forceActiveFocus(Qt.OtherFocusReason)
    }

    function holds(pane: Item, item: Item): bool {
        for (let above = item; above; above = above.parent)
            if (above === pane)
                return true
        return false
    }

    /// To the pane after the one that has the keyboard, if it is shown; to the view from elsewhere.
    function next() {
        const shown = Array.from(panes).filter(pane => pane.visible)
        const pane = shown[(shown.findIndex(pane => root.holds(pane, root.focused)) + 1) % shown.length]
        const first = pane === panes[0] ? pane : pane.nextItemInFocusChain()
        first.forceActiveFocus(Qt.TabFocusReason)
        // A page that has not had the keyboard yet keeps it to itself.
        const within = pane.nextItemInFocusChain()
        if (focused === pane && !pane.activeFocusOnTab && holds(pane, within))
            within.forceActiveFocus(Qt.TabFocusReason)
    }
}
