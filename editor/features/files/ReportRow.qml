import QtQuick
import Weir

/// Report on one part; a click leads to its block, if it has one.
Column {
    id: root

    required property int index
    required property string outcome
    required property string heading
    required property string name
    required property string type
    required property string reason
    required property string block

    readonly property bool doubtful: outcome === "dropped" || outcome === "stubbed"

    /// True if it has the keyboard focus; the ring excludes the heading.
    readonly property bool focused: ListView.isCurrentItem && ListView.view.activeFocus

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
        id: row

        objectName: "report:" + root.name
        width: root.width
        height: Math.max(what.implicitHeight, why.implicitHeight) + Theme.space2
        color: hover.hovered && root.block !== "" ? Theme.alt : "transparent"
        Accessible.role: root.block === "" ? Accessible.ListItem : Accessible.Button
        Accessible.name: root.name + (root.reason === "" ? "" : ": " + root.reason)
        Accessible.onPressAction: root.choose()

        NoteText {
            id: what

            x: Theme.space4
            y: Theme.space1
            width: row.width * 0.4
            text: root.type === "" || root.type === root.name ? root.name : qsTr("%1 · %2").arg(root.name).arg(root.type)
            color: root.doubtful ? Theme.warning : Theme.text
        }
        NoteText {
            id: why

            x: what.x + what.width + Theme.space4
            y: Theme.space1
            width: parent.width - x - Theme.space5
            text: root.reason
        }
        FocusRing {
            anchors.margins: Theme.space0
            shown: root.focused
        }
        HoverHandler { id: hover }
        TapHandler { onTapped: root.choose() }
    }
}
