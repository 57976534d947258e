pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// One finding, with its reason and the commands that fix it, each with a copy button.
Item {
    id: root

    required property int index
    required property string title
    required property string severity
    required property string message
    required property string why
    required property var commands
    required property string remedy

    signal copied(command: string)

    function copyAll() {
        if (commands.length > 0)
            copied(Array.from(commands).join("\n"))
    }

    objectName: "finding:" + index
    height: words.height + Theme.space3
    Accessible.role: Accessible.ListItem
    Accessible.name: title + ". " + message
    Accessible.description: Array.of(why, Array.from(commands).join(", "), remedy).filter(part => part !== "").join(". ")

    Rectangle {
        x: Theme.space3
        y: Theme.space3
        width: Theme.space2
        height: Theme.space2
        radius: Theme.radiusField
        color: root.severity === "broken" ? Theme.error : Theme.warning
    }
    Column {
        id: words

        x: Theme.space5 + Theme.space1
        y: Theme.space1 + Theme.space0
        width: root.width - x - Theme.space3
        spacing: Theme.space0

        PlainText {
            width: parent.width
            text: root.title
            elide: Text.ElideRight
            font.weight: Font.DemiBold
        }
        PlainText {
            width: parent.width
            text: root.message
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeSmall
        }
        NoteText {
            width: parent.width
            text: root.why
        }
        Repeater {
            model: root.commands

            Rectangle {
                id: command

                required property string modelData
                required property int index

                width: words.width
                height: line.height + Theme.space2
                radius: Theme.radiusField
                color: Theme.alt

                PlainText {
                    id: line

                    x: Theme.space2
                    y: Theme.space1
                    width: copy.x - x
                    text: command.modelData
                    wrapMode: Text.WrapAnywhere
                    font.family: Theme.mono
                    font.pixelSize: Theme.sizeTiny
                }
                IconButton {
                    id: copy

                    objectName: "copyCommand:" + root.index + ":" + command.index
                    x: parent.width - width
                    width: Theme.smallControl
                    height: Math.min(parent.height, Theme.smallControl)
                    icon.name: "copy"
                    hint: qsTr("Copy the command")
                    onClicked: root.copied(command.modelData)
                }
            }
        }
        NoteText {
            width: parent.width
            visible: text !== ""
            text: root.remedy
            color: Theme.text3
        }
    }
}
