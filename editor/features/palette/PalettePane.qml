pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// The block types, to be dragged onto the canvas or added with Enter or a double click.
Rectangle {
    id: root

    required property Editor editor
    required property GraphCanvas canvas

    function focusSearch() {
        search.forceActiveFocus(Qt.ShortcutFocusReason)
        search.selectAll()
    }

    function addAtCentre(type: string) {
        const centre = canvas.view.sceneAt(canvas.width / 2 - 90, canvas.height / 2 - 50)
        editor.addBlock(type, Math.round(centre.x / 20) * 20, Math.round(centre.y / 20) * 20)
        // What comes next, such as Undo, is meant for the graph and not for the text that was searched.
        canvas.view.forceActiveFocus()
    }

    function dropAt(type: string, x: real, y: real) {
        const point = canvas.mapFromItem(null, x, y)
        if (!canvas.contains(point))
            return
        canvas.view.drop(type, point.x, point.y)
        canvas.view.forceActiveFocus()
    }

    function dragOver(type: string, x: real, y: real) {
        const point = canvas.mapFromItem(null, x, y)
        canvas.view.dragOver(type, point.x, point.y)
    }

    color: Theme.pane

    TextBox {
        id: search

        objectName: "paletteSearch"
        x: 12
        y: 12
        width: parent.width - 24
        height: Theme.barControl
        font.family: Theme.sans
        font.pixelSize: Theme.sizeBody
        placeholderText: qsTr("Search blocks")
        Accessible.name: qsTr("Search blocks")
        text: root.editor.filter
        onTextEdited: root.editor.filter = text
        onAccepted: if (list.count > 0) root.addAtCentre(root.editor.paletteType(Math.max(list.currentIndex, 0)))
        Keys.onDownPressed: list.incrementCurrentIndex()
        Keys.onUpPressed: list.decrementCurrentIndex()
        Keys.onEscapePressed: {
            root.editor.filter = ""
            root.canvas.view.forceActiveFocus()
        }
    }
    ListView {
        id: list

        objectName: "palette"
        anchors.top: search.bottom
        anchors.topMargin: 4
        anchors.bottom: parent.bottom
        width: parent.width
        clip: true
        model: root.editor.palette
        currentIndex: 0
        boundsBehavior: Flickable.StopAtBounds
        interactive: false
        // Rows made ahead of their turn would be cancelled when typing makes the list shorter.
        cacheBuffer: 0
        delegate: PaletteEntry {
            width: list.width
            searching: root.editor.filter !== "" || search.activeFocus
            onAddRequested: type => root.addAtCentre(type)
            onDragged: (type, x, y) => root.dragOver(type, x, y)
            onDropped: (type, x, y) => root.dropAt(type, x, y)
        }
        ScrollBar.vertical: ScrollBar { policy: ScrollBar.AsNeeded }

        WheelHandler {
            onWheel: event => list.contentY = Math.max(list.originY, Math.min(list.contentY - event.angleDelta.y / 2,
                                                       list.originY + list.contentHeight - list.height))
        }
        PlainText {
            anchors.top: parent.top
            anchors.topMargin: 24
            x: 12
            width: parent.width - 24
            visible: list.count === 0
            wrapMode: Text.Wrap
            color: Theme.text3
            text: root.editor.catalogLoaded ? qsTr("No block matches.") : qsTr("Listing blocks …")
        }
    }
    Divider {
        anchors.right: parent.right
        height: parent.height
    }
}
