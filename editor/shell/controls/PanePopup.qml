import QtQuick
import QtQuick.Controls.Basic

/// Popup over the window, in the style of a pane.
Popup {
    focus: true
    enter: FadeIn {}
    background: Rectangle {
        radius: Theme.radiusNode
        color: Theme.pane
        border.color: Theme.control
    }
}
