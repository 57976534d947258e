import QtQuick

/// Text that leads somewhere when clicked, with an optional icon.
MarkedText {
    id: root

    signal activated()

    color: Theme.accent
    font.pixelSize: Theme.sizeSmall
    font.underline: hover.hovered
    elide: Text.ElideRight
    activeFocusOnTab: true
    Accessible.role: Accessible.Link
    Accessible.name: text
    Accessible.onPressAction: activated()
    Keys.onReturnPressed: activated()
    Keys.onEnterPressed: activated()
    Keys.onSpacePressed: activated()

    FocusRing { shown: root.activeFocus }
    HoverHandler {
        id: hover
        cursorShape: Qt.PointingHandCursor
    }
    TapHandler { onTapped: root.activated() }
}
