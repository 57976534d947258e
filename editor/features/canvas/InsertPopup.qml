pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Popup that chooses a block by typing, at the block's future place. The keys stay in the field. Ctrl+Enter inserts
/// and continues with the next block.
Popup {
    id: root

    required property BlockInserter inserter
    required property BlockPalette palette
    required property GraphView view
    /// Emitted on F1, which an open popup hides from the window.
    signal helpWanted

    readonly property real tall: 400
    readonly property real low: 220 ///< enough for some blocks of the list
    readonly property InsertEntry currentEntry: list.currentItem as InsertEntry

    /// Open as near as possible without covering blocks, above all the neighbour of the new one: beside, below or above
    /// that neighbour. Otherwise open below or above all blocks, with less height if necessary.
    function openAt(point: point) {
        const kept = view.selectedRect(), all = view.drawnRect()
        const beside = kept.width === 0 ? [] : [Qt.rect(kept.right + Theme.space4, point.y, width, tall),
                                                Qt.rect(kept.left - Theme.space4 - width, point.y, width, tall),
                                                Qt.rect(point.x, kept.bottom + Theme.space2, width, tall),
                                                Qt.rect(point.x, kept.top - Theme.space4 - tall, width, tall)]
        const below = Math.min(tall, parent.height - Theme.space1 - all.bottom - Theme.space2)
        const above = Math.min(tall, all.top - Theme.space4 - Theme.space1)
        const clear = [Qt.rect(point.x, all.bottom + Theme.space2, width, below),
                       Qt.rect(point.x, all.top - Theme.space4 - above, width, above)]
        let least = Infinity
        for (const place of [Qt.rect(point.x, point.y, width, tall), ...beside, ...clear]) {
            if (place.height < low)
                continue
            const at = Qt.rect(Math.max(Theme.space1, Math.min(place.x, parent.width - place.width - Theme.space1)),
                               Math.max(Theme.space1, Math.min(place.y, parent.height - place.height - Theme.space1)),
                               place.width, place.height)
            const overKept = at.x < kept.right && at.right > kept.left && at.y < kept.bottom && at.bottom > kept.top
            const over = view.blocksUnder(at) + (kept.width > 0 && overKept ? 1000 : 0)
            if (over < least) {
                least = over
                x = at.x
                y = at.y
                height = at.height
            }
        }
        open()
    }

    function choose(type: string) {
        close()
        inserter.insert(type)
    }

    function chooseAndGoOn(type: string) {
        if (inserter.insert(type)) {
            inserter.askBeside()
            openAt(Qt.point(x, y)) // move away from the inserted block
        }
        begin()
    }

    function begin() {
        field.text = ""
        list.currentIndex = 0
        list.positionViewAtBeginning()
        field.forceActiveFocus(Qt.PopupFocusReason)
    }

    function walk(step: int) {
        list.currentIndex = Math.max(0, Math.min(list.count - 1, list.currentIndex + step))
    }

    function handleKey(event: var) {
        const enter = event.key === Qt.Key_Return || event.key === Qt.Key_Enter
        if (event.key === Qt.Key_F1) {
            close()
            helpWanted()
        } else if (event.key === Qt.Key_Down || event.key === Qt.Key_Tab)
            walk(1)
        else if (event.key === Qt.Key_Up || event.key === Qt.Key_Backtab)
            walk(-1)
        else if (event.key === Qt.Key_PageDown || event.key === Qt.Key_PageUp)
            walk(event.key === Qt.Key_PageDown ? 8 : -8)
        else if (enter && currentEntry && event.modifiers & Qt.ControlModifier)
            chooseAndGoOn(currentEntry.type)
        else if (enter && currentEntry && event.modifiers & Qt.ShiftModifier)
            palette.toggleFavourite(currentEntry.type)
        else if (enter && currentEntry)
            choose(currentEntry.type)
        else if (!(event.modifiers & Qt.AltModifier)) // a shortcut of the window is not text
            return
        event.accepted = true
    }

    objectName: "insertPopup"
    width: 320
    enter: FadeIn {}
    height: tall
    padding: 0
    focus: true
    closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutside
    onAboutToShow: begin()

    background: Rectangle {
        radius: Theme.radiusNode
        color: Theme.pane
        border.color: Theme.control
    }

    TextBox {
        id: field

        objectName: "insertFilter"
        x: 12
        y: 12
        width: parent.width - Theme.space5
        height: Theme.barControl
        font.family: Theme.sans
        font.pixelSize: Theme.sizeBody
        placeholderText: qsTr("Insert a block")
        Accessible.name: placeholderText
        Accessible.description: root.inserter.purpose
        onTextEdited: {
            root.inserter.filter = text
            list.currentIndex = 0
        }
        Keys.onPressed: event => root.handleKey(event)
    }
    PlainText {
        id: purpose

        x: 12
        y: 50
        width: parent.width - Theme.space5
        visible: text !== ""
        elide: Text.ElideMiddle
        font.pixelSize: Theme.sizeSmall
        color: Theme.text2
        text: root.inserter.purpose
    }
    ScrollList {
        id: list

        objectName: "insertList"
        x: 4
        y: purpose.visible ? 72 : 50
        width: parent.width - Theme.space2
        height: foot.y - y - Theme.space1
        model: root.inserter.model
        highlightMoveDuration: 0
        delegate: InsertEntry {
            width: list.width
            onChosen: root.choose(type)
            onStarred: root.palette.toggleFavourite(type)
        }

        PlainText {
            x: 8
            y: 8
            width: parent.width - Theme.space4
            visible: list.count === 0
            wrapMode: Text.Wrap
            color: Theme.text3
            // Other tools have blocks for this; Weir solves it differently.
            text: root.inserter.filter === "" ? qsTr("No block fits here.")
                : /^(fork|split|tee|fan|broadcast)/i.test(root.inserter.filter)
                  ? qsTr("No block is needed for that: draw a second wire from the output.")
                : qsTr("No block that fits has this name.")
        }
    }
    Column {
        id: foot

        x: 12
        y: parent.height - height - Theme.space2
        width: parent.width - Theme.space5
        spacing: Theme.space0

        PlainText {
            objectName: "insertPorts"
            width: parent.width
            elide: Text.ElideRight
            font.family: Theme.mono
            font.pixelSize: Theme.sizeTiny
            color: Theme.text2
            text: root.currentEntry?.ports ?? ""
        }
        PlainText {
            objectName: "insertKeys"
            width: parent.width
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeTiny
            color: Theme.text3
            text: qsTr("Enter inserts, Ctrl+Enter inserts several, Shift+Enter marks a favourite")
        }
    }
}
