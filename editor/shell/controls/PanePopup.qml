import QtQuick
import QtQuick.Controls.Basic

/// Popup over the window, with the face of a pane.
Popup {
    focus: true
    enter: FadeIn {}
    background: Rectangle {
        radius: Theme.radiusNode
        color: Theme.pane
        border.color: Theme.control
    }
}
