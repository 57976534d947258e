pragma ComponentBehavior: Bound

import QtQuick

/// Labels and texts, one pair a row.
Column {
    id: root

    property var facts: []

    spacing: 6

    Repeater {
        model: root.facts

        Item {
            id: fact

            required property var modelData

            width: root.width
            height: words.height

            PlainText {
                width: 96
                text: fact.modelData.label
                elide: Text.ElideRight
                font.pixelSize: Theme.sizeSmall
                color: Theme.text3
            }
            PlainText {
                id: words

                x: 104
                width: parent.width - x
                text: fact.modelData.text
                wrapMode: Text.Wrap
                font.pixelSize: Theme.sizeSmall
                color: Theme.text
            }
        }
    }
}
