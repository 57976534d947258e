import QtQuick

/// Leads the keyboard from pane to pane: within one, Tab does.
QtObject {
    id: root

    required property list<Item> panes

    function holds(pane: Item, item: Item): bool {
        for (let above = item; above; above = above.parent)
            if (above === pane)
                return true
        return false
    }

    /// To the pane after the one that has `focus`, if it is shown; to the first from elsewhere.
    function next(focus: Item) {
        const shown = Array.from(panes).filter(pane => pane.visible)
        const here = shown.findIndex(pane => root.holds(pane, focus))
        const pane = shown[(here + 1) % shown.length]
        const first = pane.activeFocusOnTab ? pane : pane.nextItemInFocusChain()
        first.forceActiveFocus(Qt.TabFocusReason)
    }
}
