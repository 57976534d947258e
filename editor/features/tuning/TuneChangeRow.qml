import QtQuick
import Weir

/// A move or another change, with the heading of its group above the first one. A click on a move shows its block.
Column {
    id: root

    required property int index
    required property string heading
    required property string label
    required property string change
    required property string block

    signal chosen()

    function choose() {
        if (block !== "")
            chosen()
    }

    SectionText {
        visible: root.heading !== ""
        leftPadding: Theme.space4
        topPadding: Theme.space2
        bottomPadding: Theme.space1
        text: root.heading
    }
    Rectangle {
        objectName: "tuneChange:" + root.label
        width: root.width
        height: Math.max(what.implicitHeight, how.implicitHeight) + Theme.space2
        color: hover.hovered && root.block !== "" ? Theme.alt : "transparent"
        Accessible.role: root.block === "" ? Accessible.ListItem : Accessible.Button
        Accessible.name: root.change === "" ? root.label : root.label + ": " + root.change
        Accessible.onPressAction: root.choose()

        NoteText {
            id: what

            x: Theme.space4
            y: Theme.space1
            width: root.width * 0.4 - Theme.space4
            text: root.label
            color: root.block === "" ? Theme.text2 : Theme.text
        }
        PlainText {
            id: how

            x: root.width * 0.4 + Theme.space2
            y: Theme.space1
            width: parent.width - x - Theme.space4
            text: root.change
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeSmall
        }
        HoverHandler { id: hover }
        TapHandler { onTapped: root.choose() }
    }
}
