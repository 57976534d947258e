pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Finds actions by some letters of their names. As the list of keys, it shows only those with keys, and also finds
/// them by key.
Popup {
    id: root

    required property Actions actions

    /// True if this is the list of keys.
    property bool keyed: false

    function show(about: bool) {
        keyed = about
        open()
    }

    width: keyed ? 680 : 520
    enter: FadeIn {}
    height: Math.min(list.y + Math.max(list.contentHeight, Theme.barControl) + 2 * Theme.space1, keyed ? 640 : 440)
    padding: 0
    modal: false
    focus: true
    objectName: "commandPalette"
    closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutside
    onAboutToShow: {
        field.text = ""
        actions.refresh()
        list.currentIndex = 0
        field.forceActiveFocus()
    }

    function choose(row: int) {
        const id = filter.idAt(row)
        if (id === "" || !actions.isEnabled(id))
            return
        close()
        actions.trigger(id)
    }

    background: Rectangle {
        radius: Theme.radiusNode
        color: Theme.pane
        border.color: Theme.control
    }

    ActionFilter {
        id: filter
        sourceModel: root.actions
        typed: field.text
        keyed: root.keyed
    }
    TextBox {
        id: field

        objectName: "commandField"
        x: Theme.space3
        y: Theme.space3
        width: parent.width - Theme.space5
        height: Theme.barControl
        placeholderText: root.keyed ? qsTr("Keyboard shortcuts: type a name or a key") : qsTr("What do you want to do?")
        Accessible.name: placeholderText
        onTextChanged: list.currentIndex = 0
        onAccepted: root.choose(list.currentIndex)
        Keys.onDownPressed: list.incrementCurrentIndex()
        Keys.onUpPressed: list.decrementCurrentIndex()
        Keys.onPressed: event => event.accepted = [Qt.Key_PageUp, Qt.Key_PageDown].includes(event.key) && list.goBy(event.key)
    }
    ScrollList {
        id: list

        objectName: "commandList"
        x: Theme.space1
        y: field.y + field.height + Theme.space2
        width: parent.width - Theme.space2
        height: parent.height - y - Theme.space1
        model: filter

        delegate: Rectangle {
            id: row

            required property int index
            required property string groupTitle
            required property string title
            required property string detail
            required property string keys
            required property var shortcuts
            required property bool onCanvas
            required property bool usable
            required property bool listedOnly

            width: ListView.view.width
            height: Theme.barControl
            radius: Theme.radiusField
            color: ListView.isCurrentItem ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"
            Accessible.role: Accessible.ListItem
            Accessible.name: title + (shortcut.text === "" ? "" : ", " + shortcut.text)

            PlainText {
                id: group

                x: Theme.space2
                width: 88
                elide: Text.ElideRight
                anchors.verticalCenter: parent.verticalCenter
                text: row.groupTitle
                font.pixelSize: Theme.sizeTiny
                color: Theme.text3
            }
            PlainText {
                x: group.x + group.width + Theme.space2
                width: shortcut.x - x - Theme.space2
                anchors.verticalCenter: parent.verticalCenter
                text: row.detail === "" ? row.title : qsTr("%1: %2").arg(row.title).arg(row.detail)
                elide: Text.ElideRight
                color: row.usable || row.listedOnly ? Theme.text : Theme.text3
            }
            PlainText {
                id: shortcut

                objectName: "commandKeys"
                anchors.right: parent.right
                anchors.rightMargin: Theme.space3
                anchors.verticalCenter: parent.verticalCenter
                text: !root.keyed ? row.keys
                    : row.onCanvas && row.shortcuts.length > 0 ? qsTr("%1 on the graph").arg(row.shortcuts.join(", ")) : row.shortcuts.join(", ")
                font.pixelSize: Theme.sizeSmall
                color: Theme.text3
            }
            HoverHandler { id: hover }
            TapHandler { onTapped: root.choose(row.index) }
        }
    }
    PlainText {
        x: Theme.space4
        y: list.y + Theme.space2
        visible: list.count === 0
        text: qsTr("No command matches.")
        color: Theme.text3
    }
}
