import QtQuick
import Weir

/// Goal, time and progress of a search.
Column {
    id: root

    required property Tuner tuner

    function takeKeys() {
        if (tuner.running)
            go.forceActiveFocus(Qt.ShortcutFocusReason)
        else
            goal.forceActiveFocus(Qt.ShortcutFocusReason)
    }

    /// A disabled field cannot keep the keyboard focus.
    function begin() {
        tuner.begin()
        if (tuner.running)
            go.forceActiveFocus(Qt.TabFocusReason)
    }

    spacing: Theme.space2

    HeadingText {
        text: qsTr("Tune")
    }
    NoteText {
        width: parent.width
        text: root.tuner.start === "" ? qsTr("Builds and measures deployments of this project on this machine.")
            : qsTr("Builds and measures deployments on this machine. Other settings are those of %1.").arg(root.tuner.start)
    }
    Item {
        width: parent.width
        height: Theme.fieldControl

        SmallText {
            height: parent.height
            verticalAlignment: Text.AlignVCenter
            text: qsTr("Goal")
        }
        ChoiceBox {
            id: goal

            objectName: "tuneGoal"
            x: Theme.fieldLabel
            width: parent.width - x
            enabled: !root.tuner.running
            model: [qsTr("throughput"), qsTr("p99 latency")]
            currentIndex: root.tuner.goal
            Accessible.name: qsTr("Goal")
            onActivated: index => root.tuner.goal = index
        }
    }
    Item {
        width: parent.width
        height: Theme.fieldControl

        SmallText {
            height: parent.height
            verticalAlignment: Text.AlignVCenter
            text: qsTr("Seconds")
        }
        TextBox {
            objectName: "tuneBudget"
            x: Theme.fieldLabel
            width: parent.width - x
            enabled: !root.tuner.running
            text: root.tuner.budget
            inputMethodHints: Qt.ImhDigitsOnly
            validator: IntValidator { bottom: 1; top: 86400 }
            Accessible.name: qsTr("Time for the search, in seconds")
            Accessible.description: qsTr("Including building")
            onTextEdited: root.tuner.budget = acceptableInput ? text : ""
            Keys.onReturnPressed: root.begin()
            Keys.onEnterPressed: root.begin()
        }
    }
    PushButton {
        id: go

        objectName: "tuneGo"
        width: parent.width
        primary: !root.tuner.answered
        enabled: root.tuner.running || root.tuner.canStart
        icon.name: root.tuner.running ? "stop" : "run"
        text: root.tuner.stopping ? qsTr("Stop now") : root.tuner.running ? qsTr("Stop")
            : root.tuner.answered ? qsTr("Tune again") : qsTr("Start")
        hint: root.tuner.running ? qsTr("Stop; the measurements so far are kept") : qsTr("Search for this long, including building")
        onClicked: root.tuner.running ? root.tuner.stop() : root.tuner.begin()
    }
    ProgressStrip {
        width: parent.width
        visible: root.tuner.running
        progress: root.tuner.progress
        Accessible.name: qsTr("Time of the search")
    }
    NoteText {
        objectName: "tuneStatus"
        width: parent.width
        visible: root.tuner.running
        text: root.tuner.remaining === "" ? root.tuner.status : qsTr("%1 · %2").arg(root.tuner.status).arg(root.tuner.remaining)
    }
    NoteText {
        objectName: "tuneFailure"
        width: parent.width
        visible: text !== ""
        text: root.tuner.hint === "" || root.tuner.failure === "" ? root.tuner.failure
                                                                 : qsTr("%1 · %2").arg(root.tuner.failure).arg(root.tuner.hint)
        color: Theme.error
        Accessible.role: Accessible.AlertMessage
        Accessible.name: text
    }
}
