import QtQuick
import QtQuick.Controls.Basic
import Weir

ToolTip {
    id: root

    property bool shown: false
    /// Something was pressed since the pointer came: what that opened is not to be covered.
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
    // The style centres by the width of the text in one line, which puts a long one on the other side of the window.
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
