import QtQuick

/// Text in one line; if it is cut, a hint shows all of it.
PlainText {
    id: root

    elide: Text.ElideRight

    HoverHandler { id: hover }
    Hint {
        shown: hover.hovered && root.truncated
        text: root.text
    }
}
