import QtQuick
import QtQuick.Controls.Basic
import Weir

ToolTip {
    id: root

    property bool shown: false
    /// True if something was pressed since the pointer came: the hint must not cover what that opened.
    property bool over: false

    readonly property Connections presses: Connections {
        target: Presses
        enabled: root.shown
        function onPressed() { root.over = true }
    }

    // The item of the hint can leave the window during the delay.
    visible: shown && !over && text !== "" && parent !== null && parent.Window.window !== null
    delay: Theme.hintDelay
    onShownChanged: if (!shown) over = false
    // The style centres a hint by its width in one line, which puts a long one at the other side of the window.
    x: parent ? (parent.width - width) / 2 : 0
    y: parent ? parent.height + Theme.space1 : 0
    margins: Theme.space2
    padding: Theme.space2
    width: Math.min(implicitWidth, 360)
    enter: FadeIn {}

    contentItem: PlainText {
        text: root.text
        wrapMode: Text.Wrap
        font.pixelSize: Theme.sizeSmall
        lineHeight: Theme.lineSmall
        lineHeightMode: Text.FixedHeight
    }
    background: Rectangle {
        radius: Theme.radiusButton
        color: Theme.pane
        border.color: Theme.control
    }
}
