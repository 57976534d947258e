import QtQuick
import QtQuick.Controls.Basic

/// Text of several lines; Enter commits it, Shift+Enter begins a new line.
TextArea {
    id: root

    signal finished()
    signal escaped()

    implicitHeight: Math.max(Theme.fieldControl, Math.min(contentHeight + 2 * topPadding, 6 * Theme.row))
    leftPadding: Theme.space2
    rightPadding: Theme.space2
    topPadding: (Theme.fieldControl - Theme.lineSmall) / 2
    bottomPadding: topPadding
    wrapMode: TextEdit.Wrap
    clip: true
    font.family: Theme.sans
    font.pixelSize: Theme.sizeSmall
    color: Theme.text
    placeholderTextColor: Theme.text3
    selectByMouse: true
    selectionColor: Theme.accent
    selectedTextColor: Theme.accentText
    renderType: Text.NativeRendering
    KeyNavigation.priority: KeyNavigation.BeforeItem
    Keys.priority: Keys.BeforeItem
    Keys.onPressed: event => {
        const enter = event.key === Qt.Key_Return || event.key === Qt.Key_Enter
        event.accepted = enter && !(event.modifiers & Qt.ShiftModifier) || event.key === Qt.Key_Escape
        if (event.key === Qt.Key_Escape)
            escaped()
        else if (event.accepted)
            finished()
    }
    Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
    Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
    onActiveFocusChanged: if (!activeFocus) finished()

    background: Rectangle {
        radius: Theme.radiusField
        color: Theme.pane
        border.width: root.activeFocus ? Theme.strokeStrong : 1
        border.color: root.activeFocus ? Theme.accent : Theme.control
    }
}
