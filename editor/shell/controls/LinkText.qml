import QtQuick

/// A text that leads somewhere, with or without an icon.
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
