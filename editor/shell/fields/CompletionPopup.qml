pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic

/// List of completions; the field keeps the keyboard focus.
Popup {
    id: root

    property var words: []
    property int marked: 0

    readonly property Component word: Rectangle {
        id: item

        required property string modelData
        required property int index

        width: ListView.view.width
        height: Theme.tableRow
        radius: Theme.radiusField
        color: index === root.marked ? Theme.selectedRow : "transparent"
        Accessible.role: Accessible.ListItem
        Accessible.name: modelData

        PlainText {
            x: 8
            anchors.verticalCenter: parent.verticalCenter
            text: item.modelData
            font.family: Theme.mono
            font.pixelSize: Theme.sizeSmall
        }
        TapHandler { onTapped: root.chosen(item.index) }
    }

    signal chosen(int index)

    height: Math.min(words.length, 8) * 26 + Theme.space2
    padding: Theme.space1
    visible: words.length > 0
    closePolicy: Popup.NoAutoClose

    contentItem: ScrollList {
        objectName: "completions"
        model: root.words
        currentIndex: root.marked

        delegate: root.word
    }
    background: Rectangle {
        radius: Theme.radiusButton
        color: Theme.pane
        border.color: Theme.control
    }
}
