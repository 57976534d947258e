pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// A connection: its items, the fill of its buffer, and its settings.
Column {
    id: root

    required property Editor editor

    readonly property WireInspector wire: editor.wire
    readonly property DeploymentRun run: editor.results.shown

    signal focused(field: Item)

    spacing: Theme.space1

    HeadingText {
        text: qsTr("Connection")
    }
    Repeater {
        model: [[root.wire.ends[0], root.wire.ends[1], "arrow_left"], [root.wire.ends[2], root.wire.ends[3], "arrow_right"]]

        LinkText {
            required property var modelData

            objectName: "wireEnd:" + modelData[0]
            width: Math.min(implicitWidth, root.width)
            height: Theme.iconLarge
            icon: modelData[2]
            text: modelData[0] + "." + modelData[1]
            onActivated: root.editor.goTo(modelData[0])
        }
    }
    Item {
        width: root.width
        height: Theme.smallControl

        PortMark {
            anchors.verticalCenter: parent.verticalCenter
            width: 14
            height: 14
            ring: 1
            type: root.wire.itemType
            color: Theme.typeColor(root.wire.itemType)
            fill: Theme.pane
        }
        SmallText {
            objectName: "wireType"
            anchors.verticalCenter: parent.verticalCenter
            x: 22
            width: parent.width - x
            elide: Text.ElideRight
            text: root.wire.itemType === "" ? qsTr("the item type is not decided yet")
                : root.wire.rate === "" ? root.wire.itemType
                : qsTr("%1 · %2 items per firing").arg(root.wire.itemType).arg(root.wire.rate)
            font.family: Theme.mono
        }
    }
    FieldList {
        width: root.width
        fields: root.editor.fields
        model: root.wire.fields
        heading: qsTr("Deployment %1").arg(root.wire.deployment)
        onFocused: field => root.focused(field)
    }
    NoteText {
        width: root.width
        visible: root.wire.deployment === ""
        text: qsTr("A deployment can request the size of the buffer. This project has no deployment yet.")
        color: Theme.text3
    }
    FactList {
        objectName: "wireBuffers"
        width: root.width
        facts: root.wire.buffers
    }
    NoteText {
        width: root.width
        visible: text !== ""
        text: root.wire.waiting
        color: Theme.text3
    }
    SectionText {
        height: Theme.row
        topPadding: Theme.space2
        text: qsTr("Measured")
    }
    TinyText {
        width: root.width
        visible: text !== ""
        text: root.run.known ? root.run.label : ""
        elide: Text.ElideMiddle
        font.family: Theme.mono
    }
    FactList {
        id: measured

        objectName: "wireMeasured"
        width: root.width
        facts: root.wire.measured
    }
    NoteText {
        width: root.width
        visible: measured.count === 0
        text: !root.run.known ? qsTr("Not measured yet. Run the project (F6) to see the numbers.")
                                   : qsTr("This run has no numbers for the connection.")
        color: Theme.text3
    }
    FieldList {
        width: root.width
        fields: root.editor.fields
        model: root.wire.probes
        heading: qsTr("Probes (they split the latency here)")
        onFocused: field => root.focused(field)
    }
    SectionText {
        height: Theme.row
        topPadding: Theme.space2
        text: qsTr("In the graph")
    }
    Item {
        width: root.width
        height: Theme.row

        SmallText {
            objectName: "wirePoints"
            anchors.verticalCenter: parent.verticalCenter
            text: root.wire.points === 0 ? qsTr("straight, without points")
                : qsTr("passes through %n point(s)", "", root.wire.points)
        }
        SmallButton {
            objectName: "removePoints"
            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            visible: root.wire.points > 0
            text: qsTr("Straighten")
            hint: qsTr("Remove the points of the wire")
            onClicked: root.wire.removePoints()
        }
    }
    SmallButton {
        objectName: "insertOnWire"
        text: qsTr("Insert a block…")
        hint: qsTr("Insert a block into this wire")
        onClicked: root.editor.actions.trigger("graph.insert_on_wire")
    }
}
