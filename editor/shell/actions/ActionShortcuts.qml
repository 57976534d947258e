pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Shortcuts of all actions.
Instantiator {
    id: root

    required property Actions actions
    /// Plain letters are commands on the canvas and text everywhere else.
    required property bool canvasFocused

    model: actions

    delegate: Shortcut {
        required property string actionId
        required property var shortcuts
        required property bool onCanvas
        required property bool listedOnly

        sequences: listedOnly ? [] : shortcuts
        enabled: !onCanvas || root.canvasFocused
        onActivated: root.actions.trigger(actionId)
    }
}
