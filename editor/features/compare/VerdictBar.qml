import QtQuick
import Weir

/// Verdict of a comparison in a word, a number and its reasons.
Rectangle {
    id: root

    required property Editor editor

    readonly property RunComparison comparison: editor.comparison
    readonly property string verdict: comparison.verdict
    readonly property bool failed: comparison.failure !== ""
    readonly property bool open: verdict === "not enough data" || verdict === "not comparable" || verdict === "in doubt"
    /// Use the colour of good or bad only for a certain verdict in one direction.
    readonly property string clear: comparison.mixed || comparison.doubtful ? "" : verdict
    readonly property color ink: failed || clear === "worse" ? Theme.error : clear === "better" ? Theme.ok
                                 : open ? Theme.warning : Theme.text
    readonly property color paper: failed || clear === "worse" ? Theme.errorBackground : clear === "better"
        ? Theme.okBackground
                                   : open ? Theme.warningBackground : Theme.alt

    /// Reserve the usual two lines from the beginning, to avoid a jump when the answer arrives.
    implicitHeight: Math.max(words.implicitHeight, Theme.fieldControl + Theme.smallControl) + Theme.space5
    radius: Theme.radiusNode
    color: paper

    Hatch {
        anchors.fill: parent
        visible: root.open || root.failed
        color: Qt.alpha(root.ink, 0.08)
    }
    MarkedText {
        id: headline

        objectName: "verdict"
        x: Theme.space4
        anchors.verticalCenter: parent.verticalCenter
        width: Math.min(implicitWidth, 240)
        wrapMode: Text.Wrap
        icon: root.failed || root.verdict === "" || root.comparison.mixed ? "" : root.verdict === "better" ? "triangle_up"
            // no equals sign: no shown difference does not prove equality
            : root.verdict === "worse" ? "triangle_down" : root.open ? "help" : ""
        text: root.failed ? qsTr("comparison failed")
            : root.verdict === "" ? root.comparison.working ? qsTr("comparing…") : qsTr("choose A and B")
            : root.open ? root.comparison.verdictName : qsTr("B: %1").arg(root.comparison.says) + (root.comparison.doubtful && root.verdict !== "no difference" ? " *" : "")
        font.pixelSize: Theme.sizeHeading
        font.weight: Font.DemiBold
        color: root.ink
    }
    Column {
        id: words

        x: headline.x + Math.max(headline.width, 160) + Theme.space5
        anchors.verticalCenter: parent.verticalCenter
        width: parent.width - x - (again.visible ? again.width + Theme.space6 : Theme.space4)
        spacing: Theme.space0

        PlainText {
            objectName: "verdictReason"
            width: parent.width
            visible: text !== ""
            wrapMode: Text.Wrap
            text: root.failed ? root.comparison.failure
                : Array.of(root.comparison.summary, root.comparison.because).filter(part => part !== "").join(" · ")
        }
        MarkedText {
            objectName: "verdictHeadline"
            width: parent.width
            visible: text !== "" && !root.failed
            wrapMode: Text.Wrap
            maximumLineCount: 2
            elide: Text.ElideRight
            font.pixelSize: Theme.sizeSmall
            color: Theme.warning
            icon: text === "" ? "" : "warning"
            text: root.comparison.headline
        }
        Row {
            spacing: Theme.space2
            visible: root.verdict !== "" && root.comparison.headline !== "" // the headline explains the verdict

            ParkButton {
                objectName: "parkA"
                editor: root.editor
                deployment: root.comparison.deploymentA
                spinning: root.comparison.spinningA
                text: qsTr("Park A's waiting workers")
            }
            ParkButton {
                objectName: "parkB"
                editor: root.editor
                deployment: root.comparison.deploymentB
                spinning: root.comparison.spinningB
                text: qsTr("Park B's waiting workers")
            }
        }
        NoteText {
            width: parent.width
            visible: text !== ""
            text: root.comparison.advice !== "" ? root.comparison.advice : root.comparison.method
        }
    }
    PushButton {
        id: again

        anchors.right: parent.right
        anchors.rightMargin: Theme.space3
        anchors.verticalCenter: parent.verticalCenter
        objectName: "repeat"
        visible: root.comparison.helpedByRuns && root.comparison.repeatable
        enabled: !root.editor.runner.running
        text: qsTr("Run 8 times")
        hint: qsTr("weir run --repeat 8, all deployments in turns, in random order")
        onClicked: {
            if (!root.comparison.addMissing())
                return
            root.comparison.followNewest()
            root.editor.runner.runRepeated(8)
        }
    }
}
