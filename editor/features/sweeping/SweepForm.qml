pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Chosen sweep, its varied settings and rounds; then its size, and the buttons that start it.
Column {
    id: root

    required property Editor editor

    readonly property SweepDesign design: editor.sweep
    readonly property SweepRunner runner: editor.sweepRunner
    property bool renaming: false

    function rename() {
        renaming = true
        nameBox.text = design.name
        nameBox.forceActiveFocus(Qt.OtherFocusReason)
        nameBox.selectAll()
    }
    function leave() {
        const keys = nameBox.activeFocus
        renaming = false
        if (keys)
            choice.forceActiveFocus(Qt.TabFocusReason)
    }

    readonly property Item home: choice

    spacing: Theme.space2

    Item {
        width: parent.width
        height: Theme.fieldControl

        ChoiceBox {
            id: choice

            objectName: "sweepChoice"
            width: parent.width - tools.width - Theme.space1
            visible: !root.renaming
            model: root.design.names
            currentIndex: root.design.current
            Accessible.name: qsTr("Sweep")
            onActivated: index => root.design.current = index
        }
        TextBox {
            id: nameBox

            objectName: "sweepName"
            width: choice.width
            visible: root.renaming
            Accessible.name: qsTr("Name of the sweep")
            onEditingFinished: if (root.renaming && root.design.rename(text)) root.leave()
            onActiveFocusChanged: if (!activeFocus) root.renaming = false
            Keys.onEscapePressed: root.leave()
        }
        Row {
            id: tools

            anchors.right: parent.right

            IconButton {
                objectName: "sweepAdd"
                icon.name: "plus"
                hint: qsTr("New sweep")
                onClicked: root.design.add()
            }
            IconButton {
                objectName: "sweepRename"
                icon.name: "edit"
                hint: qsTr("Rename the sweep")
                onClicked: root.rename()
            }
            IconButton {
                objectName: "sweepRemove"
                icon.name: "trash"
                hint: qsTr("Remove the sweep from the project; its measurements stay in their folder")
                onClicked: root.design.remove()
            }
        }
    }
    SectionText {
        topPadding: Theme.space2
        text: qsTr("Varied")
    }
    Repeater {
        id: axes

        model: root.design.axes

        SweepAxis {
            width: root.width
            design: root.design
        }
    }
    ChoiceBox {
        objectName: "sweepVary"
        width: parent.width
        visible: root.design.addable.length > 0
        unset: true
        placeholder: qsTr("Add a varied setting…")
        model: root.design.addable
        currentIndex: -1
        Accessible.name: qsTr("Add a varied setting")
        onActivated: index => {
            const key = root.design.addable[index]
            currentIndex = -1
            root.design.vary(key)
        }
    }
    SectionText {
        topPadding: Theme.space2
        text: qsTr("Repetitions")
    }
    Item {
        width: parent.width
        height: Theme.fieldControl

        PlainText {
            height: parent.height
            verticalAlignment: Text.AlignVCenter
            text: qsTr("Rounds")
            font.pixelSize: Theme.sizeSmall
        }
        TextBox {
            id: rounds

            objectName: "sweepRepetitions"
            x: Theme.fieldLabel
            width: parent.width - x
            wrong: root.design.repetitionsProblem !== ""
            text: root.design.repetitions
            placeholderText: root.design.quick ? "3" : "8"
            Accessible.name: qsTr("Rounds, each with every point once")
            Accessible.description: root.design.repetitionsProblem
            onEditingFinished: if (text !== root.design.repetitions) root.design.commitRepetitions(text)

            Hint {
                shown: rounds.hovered && !rounds.activeFocus
                text: root.design.repetitionsProblem !== "" ? root.design.repetitionsProblem
                    : qsTr("Each round measures every point once, in random order. Fewer than 8 rounds give no intervals.")
            }
        }
    }
    Item {
        width: parent.width
        height: Theme.smallControl

        PlainText {
            height: parent.height
            verticalAlignment: Text.AlignVCenter
            text: qsTr("Quick")
            font.pixelSize: Theme.sizeSmall
        }
        ToggleSwitch {
            id: quick

            objectName: "sweepQuick"
            x: Theme.fieldLabel
            checked: root.design.quick
            Accessible.name: qsTr("Quick")
            onToggled: root.design.quick = checked

            Hint {
                shown: quick.hovered
                text: qsTr("For a first look: at most 3 values per axis and 4 contenders, in 3 rounds. Not stored in the project.")
            }
        }
    }
    SectionText {
        topPadding: Theme.space2
        text: qsTr("Kept equal for all contenders")
    }
    Repeater {
        model: root.design.holds

        Item {
            id: kind

            required property int index
            required property string name
            required property string title
            required property bool held

            width: root.width
            height: Theme.smallControl

            ToggleSwitch {
                objectName: "sweepHold:" + kind.name
                checked: kind.held
                Accessible.name: kind.title
                onToggled: root.design.hold(kind.index, checked)
            }
            ElidedText {
                x: Theme.space6 + Theme.space2
                width: parent.width - x
                height: parent.height
                verticalAlignment: Text.AlignVCenter
                text: kind.title
                font.pixelSize: Theme.sizeSmall
            }
        }
    }
    Connections {
        target: root.design
        function onValuesWanted(axis) { (axes.itemAt(axis) as SweepAxis)?.takeKeys() }
    }
}
