pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Choosing a block by typing, at the place where it will be.
Popup {
    id: root

    required property BlockInserter inserter

    function openAt(point: point) {
        x = Math.max(4, Math.min(point.x, parent.width - width - 4))
        y = Math.max(4, Math.min(point.y, parent.height - height - 4))
        open()
    }

    function choose(type: string) {
        close()
        if (type !== "")
            inserter.insert(type)
    }

    objectName: "insertPopup"
    width: 280
    height: 360
    padding: 0
    focus: true
    closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutside
    onAboutToShow: {
        field.text = ""
        list.currentIndex = 0
        field.forceActiveFocus(Qt.PopupFocusReason)
    }

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
        width: parent.width - 24
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
        onAccepted: root.choose(list.currentItem ? (list.currentItem as InsertEntry).type : "")
        Keys.onDownPressed: list.incrementCurrentIndex()
        Keys.onUpPressed: list.decrementCurrentIndex()
    }
    PlainText {
        id: purpose

        x: 12
        y: 50
        width: parent.width - 24
        visible: text !== ""
        elide: Text.ElideMiddle
        font.pixelSize: Theme.sizeSmall
        color: Theme.text2
        text: root.inserter.purpose
    }
    ListView {
        id: list

        objectName: "insertList"
        x: 4
        y: purpose.visible ? 72 : 50
        width: parent.width - 8
        height: parent.height - y - 6
        clip: true
        model: root.inserter.model
        boundsBehavior: Flickable.StopAtBounds
        highlightMoveDuration: 0
        // Rows made ahead of their turn would be cancelled when typing makes the list shorter.
        cacheBuffer: 0
        ScrollBar.vertical: ScrollBar {}
        delegate: InsertEntry {
            width: list.width
            onChosen: type => root.choose(type)
        }

        PlainText {
            x: 8
            y: 8
            width: parent.width - 16
            visible: list.count === 0
            wrapMode: Text.Wrap
            color: Theme.text3
            text: root.inserter.filter === "" ? qsTr("No block fits here.") : qsTr("No block that fits is called like that.")
        }
    }
}
