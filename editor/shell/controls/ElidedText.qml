import QtQuick

/// A text in one line; where it has no room, the pointer shows all of it.
PlainText {
    id: root

    elide: Text.ElideRight

    HoverHandler { id: hover }
    Hint {
        shown: hover.hovered && root.truncated
        text: root.text
    }
}
