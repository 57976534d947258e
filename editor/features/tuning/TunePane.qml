pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// The search for a better deployment: its settings, progress and candidates, and the changes of the chosen candidate.
Rectangle {
    id: root

    required property Editor editor

    readonly property Tuner tuner: editor.tuner

    function takeKeys() {
        if (found.visible)
            list.forceActiveFocus(Qt.ShortcutFocusReason)
        else
            form.takeKeys()
    }

    objectName: "tunePane"
    color: Theme.pane
    Keys.onEscapePressed: tuner.open = false

    TuneForm {
        id: form

        x: Theme.space4
        y: Theme.space3
        width: parent.width - Theme.space6
        tuner: root.tuner
    }
    Item {
        id: found

        anchors.fill: parent
        anchors.topMargin: form.y + form.height + Theme.space3
        visible: root.tuner.answered

        Divider { width: parent.width }
        Column {
            id: head

            x: Theme.space4
            y: Theme.space3
            width: parent.width - Theme.space6
            spacing: Theme.space1

            PlainText {
                objectName: "tuneBefore"
                width: parent.width
                text: root.tuner.before
                wrapMode: Text.Wrap
                font.pixelSize: Theme.sizeSmall
                font.weight: Font.DemiBold
            }
            TinyText {
                objectName: "tuneSummary"
                width: parent.width
                text: root.tuner.summary
                wrapMode: Text.Wrap
            }
        }
        ScrollList {
            id: list

            objectName: "tuneCandidates"
            y: head.y + head.height + Theme.space2
            width: parent.width
            height: Math.min(contentHeight, (parent.height - y - foot.height) * 0.5)
            model: root.tuner.candidates
            activeFocusOnTab: true
            keyNavigationEnabled: true
            currentIndex: -1
            onCurrentIndexChanged: if (currentIndex >= 0) root.tuner.chosen = currentIndex
            Accessible.name: qsTr("Measured deployments")
            delegate: TuneCandidateRow {
                width: ListView.view.width
                chosen: index === root.tuner.chosen
                onPressed: {
                    list.currentIndex = index
                    list.forceActiveFocus(Qt.MouseFocusReason)
                }
            }
        }
        Divider {
            id: edge

            y: list.y + list.height + Theme.space2
            width: parent.width
        }
        PlainText {
            x: Theme.space4
            y: edge.y + Theme.space2
            height: Theme.smallControl
            verticalAlignment: Text.AlignVCenter
            text: qsTr("Show the moves on the graph")
            font.pixelSize: Theme.sizeSmall
        }
        ToggleSwitch {
            id: onGraph

            objectName: "tuneOnGraph"
            anchors.right: parent.right
            anchors.rightMargin: Theme.space4
            y: edge.y + Theme.space2
            checked: root.tuner.onGraph
            Accessible.name: qsTr("Show on the graph which blocks would move")
            onToggled: {
                root.tuner.onGraph = checked
                checked = Qt.binding(() => root.tuner.onGraph)
            }
        }
        ScrollList {
            objectName: "tuneChanges"
            y: onGraph.y + onGraph.height + Theme.space1
            width: parent.width
            height: parent.height - y - foot.height
            model: root.tuner.changes
            activeFocusOnTab: true
            keyNavigationEnabled: true
            currentIndex: -1
            Accessible.name: qsTr("Changes")
            Keys.onReturnPressed: (currentItem as TuneChangeRow)?.choose()
            Keys.onEnterPressed: (currentItem as TuneChangeRow)?.choose()
            Keys.onSpacePressed: (currentItem as TuneChangeRow)?.choose()
            delegate: TuneChangeRow {
                width: ListView.view.width
                onChosen: root.editor.goTo(block)
            }
        }
        TuneFoot {
            id: foot

            y: parent.height - height
            width: parent.width
            tuner: root.tuner
            onEmptied: form.takeKeys()
        }
    }
    IconButton {
        objectName: "tuneClose"
        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        y: Theme.space2
        icon.name: "close"
        hint: root.tuner.running ? qsTr("Close; the search continues, and opens this pane again when it is done") : qsTr("Close")
        onClicked: root.tuner.open = false
    }
    Connections {
        target: root.tuner
        function onChanged() { list.currentIndex = root.tuner.chosen }
    }
}
