pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// The block types, to drag onto the canvas or to add with Enter or a double click.
Rectangle {
    id: root

    required property Editor editor
    required property GraphCanvas canvas
    readonly property PaletteEntry currentEntry: list.currentItem as PaletteEntry

    function focusSearch() {
        search.forceActiveFocus(Qt.ShortcutFocusReason)
        search.selectAll()
    }

    function add(type: string) {
        editor.tools.inserter.add(type, canvas.view.sceneAt(canvas.width / 2, canvas.height / 2))
    }

    function addAndLeave(type: string) {
        add(type)
        // The next keys, such as Undo, are for the graph and not for the search text.
        canvas.view.forceActiveFocus()
    }

    function dropAt(type: string, x: real, y: real) {
        ghost.type = ""
        const point = canvas.mapFromItem(null, x, y)
        if (!canvas.contains(point)) {
            canvas.view.dragOver("", point.x, point.y) // clears the highlight of the wire below
            return
        }
        canvas.view.drop(type, point.x, point.y)
        canvas.view.forceActiveFocus()
    }

    function dragOver(type: string, category: string, x: real, y: real) {
        const point = canvas.mapFromItem(null, x, y)
        canvas.view.dragOver(type, point.x, point.y)
        ghost.follow(type, category, x, y)
    }

    /// Move the current row, by keys.
    function walk(step: int) {
        list.currentIndex = Math.max(0, Math.min(list.count - 1, list.currentIndex + step))
    }

    function handleKey(event: var) {
        const entry = currentEntry
        const enter = event.key === Qt.Key_Return || event.key === Qt.Key_Enter
        if (event.key === Qt.Key_Down || event.key === Qt.Key_Up)
            walk(event.key === Qt.Key_Down ? 1 : -1)
        else if (event.key === Qt.Key_PageDown || event.key === Qt.Key_PageUp)
            walk(event.key === Qt.Key_PageDown ? 10 : -10)
        else if (enter && entry && event.modifiers & Qt.ShiftModifier && entry.group === "")
            editor.palette.toggleFavourite(entry.type)
        else if (enter && entry && event.modifiers & Qt.ControlModifier && entry.group === "")
            add(entry.type)
        else if (enter && entry)
            entry.activate()
        else if (entry && entry.group !== "" && event.key === (entry.open ? Qt.Key_Left : Qt.Key_Right))
            entry.activate()
        else
            return
        event.accepted = true
    }

    color: Theme.pane

    Item {
        id: head

        x: 12
        y: 8
        width: parent.width - Theme.space5
        height: Theme.row

        PlainText {
            id: title

            anchors.verticalCenter: parent.verticalCenter
            visible: width + Theme.space2 + insert.implicitWidth <= parent.width
            text: qsTr("Blocks")
            font.weight: Font.DemiBold
        }
        PushButton {
            id: insert

            objectName: "insertButton"
            implicitHeight: Theme.fieldControl
            font.pixelSize: Theme.sizeSmall
            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            width: Math.min(implicitWidth, parent.width)
            text: qsTr("Insert block…")
            hint: qsTr("Choose a block by typing (Tab on the graph)")
            onClicked: root.editor.actions.trigger("graph.insert")
        }
    }
    TextBox {
        id: search

        objectName: "paletteSearch"
        x: 12
        anchors.top: head.bottom
        anchors.topMargin: Theme.space1
        width: parent.width - Theme.space5
        height: Theme.barControl
        font.family: Theme.sans
        font.pixelSize: Theme.sizeBody
        placeholderText: qsTr("Search: name or purpose")
        rightPadding: forget.visible ? forget.width + Theme.space1 : Theme.space2
        Accessible.name: qsTr("Search blocks")
        text: root.editor.palette.filter
        onTextEdited: {
            root.editor.palette.filter = text
            list.currentIndex = 0
        }
        Keys.onPressed: event => root.handleKey(event)
        Keys.onEscapePressed: {
            root.editor.palette.filter = ""
            root.canvas.view.forceActiveFocus()
        }

        IconButton {
            id: forget

            objectName: "paletteClear"
            anchors.right: parent.right
            anchors.rightMargin: Theme.space0
            anchors.verticalCenter: parent.verticalCenter
            visible: root.editor.palette.filter !== ""
            icon.name: "close"
            hint: qsTr("Show all blocks again (Esc)")
            onClicked: {
                root.editor.palette.filter = ""
                search.forceActiveFocus(Qt.OtherFocusReason)
            }
        }
    }
    ScrollList {
        id: list

        objectName: "palette"
        anchors.top: search.bottom
        anchors.topMargin: Theme.space2
        anchors.bottom: parent.bottom
        x: 4
        width: parent.width - Theme.space2
        model: root.editor.palette.model
        currentIndex: 0
        highlightMoveDuration: 0
        interactive: false
        delegate: PaletteEntry {
            width: list.width
            searching: root.editor.palette.filter !== "" || search.activeFocus
            onAddRequested: type => root.addAndLeave(type)
            onStarred: type => root.editor.palette.toggleFavourite(type)
            onToggled: group => root.editor.palette.toggleGroup(group)
            onDragged: (type, category, x, y) => root.dragOver(type, category, x, y)
            onDropped: (type, x, y) => root.dropAt(type, x, y)
        }

        WheelHandler {
            onWheel: event => list.contentY = Math.max(list.originY, Math.min(list.contentY - event.angleDelta.y / 2,
                                                       list.originY + list.contentHeight - list.height))
        }
        PlainText {
            anchors.top: parent.top
            anchors.topMargin: Theme.space4
            x: 8
            width: parent.width - Theme.space4
            visible: list.count === 0
            wrapMode: Text.Wrap
            color: Theme.text3
            text: root.editor.listing ? qsTr("Listing blocks…")
                  : root.editor.hosted && root.editor.palette.filter === "" ? qsTr("GNU Radio is not installed, so its blocks cannot be listed.")
                  : qsTr("No block matches.")
        }
    }
    BlockGhost {
        id: ghost

        parent: root.Window.contentItem
        editor: root.editor
        canvas: root.canvas
    }
}
