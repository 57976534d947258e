import QtQuick
import Weir

/// Text field for a value of the document, with one text to read and one to edit. It completes an expression (`= 2 *
/// stages`) with the names of parameters and functions.
TextBox {
    id: root

    property Fields fields: null
    property string unit
    /// Text to edit, and text to show otherwise, with the unit if it is a number.
    property string value
    property string shown: value
    readonly property bool saysUnit: text === "" ? placeholderText.endsWith(unit) : !activeFocus && shown !== value
    /// True if it shows several values that differ.
    property bool mixed: false
    property var found: []
    property int marked: 0

    signal committed(typed: string)
    /// The typed text was dropped.
    signal reverted()
    signal resetRequested()

    function choose() {
        put(fields.complete(text, cursorPosition, found[marked]))
        found = []
    }

    function put(completed: var) {
        text = completed.text
        cursorPosition = completed.cursor
    }

    function search() {
        found = fields && activeFocus ? fields.completions(text, cursorPosition) : []
        marked = 0
    }

    function forget() {
        reverted()
        text = value
    }

    rightPadding: unit === "" ? Theme.space2 : unitText.width + Theme.space4
    onTextEdited: search()
    onEditingFinished: if (text !== value && text !== shown || mixed && text !== "") committed(text)
    onActiveFocusChanged: {
        if (!activeFocus) {
            found = []
            cursorPosition = 0
            return
        }
        if (text === shown)
            text = value
        if (focusReason === Qt.TabFocusReason || focusReason === Qt.BacktabFocusReason)
            selectAll()
    }
    onValueChanged: {
        text = activeFocus ? value : shown
        cursorPosition = 0
    }
    Component.onCompleted: cursorPosition = 0
    Keys.priority: Keys.BeforeItem
    Keys.onPressed: event => {
        event.accepted = true
        if (event.key === Qt.Key_Backspace && event.modifiers === (Qt.ControlModifier | Qt.ShiftModifier)) {
            resetRequested()
            return
        }
        if (found.length === 0) {
            // If nothing was typed, Esc goes on to the handler that returns to the graph.
            event.accepted = event.key === Qt.Key_Escape && text !== value
            if (event.key === Qt.Key_Escape)
                forget()
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

    Binding on text {
        value: root.shown
        when: !root.activeFocus
        restoreMode: Binding.RestoreNone
    }
    PlainText {
        id: unitText

        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        anchors.verticalCenter: parent.verticalCenter
        text: root.saysUnit ? "" : root.unit
        font.pixelSize: Theme.sizeTiny
        color: Theme.text3
    }
    CompletionPopup {
        y: root.height + Theme.space0
        width: Math.max(root.width, 160)
        words: root.found
        marked: root.marked
        onChosen: index => {
            root.marked = index
            root.choose()
        }
    }
}
