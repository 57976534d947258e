import QtQuick
import Weir

/// A text field in which an expression (`= 2 * stages`) is completed with the names of parameters and functions.
TextBox {
    id: root

    property Inspector inspector: null
    property string unit
    property var found: []
    property int marked: 0

    /// Escape, while no completions are shown.
    signal escaped()

    function choose() {
        put(inspector.complete(text, cursorPosition, found[marked]))
        found = []
    }

    function put(completed: var) {
        text = completed.text
        cursorPosition = completed.cursor
    }

    function search() {
        found = inspector && activeFocus ? inspector.completions(text, cursorPosition) : []
        marked = 0
    }

    rightPadding: unit === "" ? 8 : unitText.width + 14
    onTextEdited: search()
    onActiveFocusChanged: if (!activeFocus) found = []
    Keys.priority: Keys.BeforeItem
    Keys.onPressed: event => {
        event.accepted = true
        if (found.length === 0) {
            event.accepted = event.key === Qt.Key_Escape
            if (event.accepted)
                escaped()
            return
        }
        if (event.key === Qt.Key_Down)
            marked = (marked + 1) % found.length
        else if (event.key === Qt.Key_Up)
            marked = (marked + found.length - 1) % found.length
        else if (event.key === Qt.Key_Tab || event.key === Qt.Key_Return || event.key === Qt.Key_Enter)
            choose()
        else if (event.key === Qt.Key_Escape)
            found = []
        else
            event.accepted = false
    }

    PlainText {
        id: unitText

        anchors.right: parent.right
        anchors.rightMargin: 8
        anchors.verticalCenter: parent.verticalCenter
        text: root.unit
        font.pixelSize: Theme.sizeTiny
        color: Theme.text3
    }
    CompletionPopup {
        y: root.height + 2
        width: Math.max(root.width, 160)
        words: root.found
        marked: root.marked
        onChosen: index => {
            root.marked = index
            root.choose()
        }
    }
}
