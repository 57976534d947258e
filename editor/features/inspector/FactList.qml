pragma ComponentBehavior: Bound

import QtQuick

/// Labels and texts, one pair for each row.
Column {
    id: root

    required property var facts ///< a model of facts

    readonly property alias count: rows.count

    spacing: Theme.space2

    Repeater {
        id: rows

        model: root.facts

        Column {
            id: fact

            required property string label
            required property string text
            required property string heading
            required property int index

            width: root.width
            spacing: root.spacing

            Divider {
                width: parent.width
                visible: fact.heading !== "" && fact.index > 0
            }
            PlainText {
                visible: fact.heading !== ""
                text: fact.heading
                font.family: Theme.mono
                font.pixelSize: Theme.sizeSmall
                font.weight: Font.DemiBold
            }
            Item {
                width: parent.width
                height: words.height

                SmallText {
                    width: 96
                    text: fact.label
                    elide: Text.ElideRight
                    color: Theme.text3
                }
                NoteText {
                    id: words

                    x: 104
                    width: parent.width - x
                    text: fact.text
                    color: Theme.text
                }
            }
        }
    }
}
