pragma ComponentBehavior: Bound

import QtQuick
import Weir

ScrollList {
    id: root

    required property Editor editor

    objectName: "problems"
    model: editor.problems

    Connections {
        property bool hadKeys: false

        target: root.editor.problems
        function onModelAboutToBeReset() { hadKeys = root.activeFocus }
        function onModelReset() { if (hadKeys) taking.start() }
    }
    Timer {
        id: taking

        interval: 0 // wait until the list has its new rows
        // The focused row is gone: focus the next one, or the page above if no problem is left.
        onTriggered: {
            if (root.count > 0) {
                root.currentIndex = Math.max(0, Math.min(root.currentIndex, root.count - 1))
                root.forceActiveFocus(Qt.TabFocusReason)
            } else {
                root.editor.actions.trigger("view." + root.editor.view)
            }
        }
    }

    delegate: Rectangle {
        id: row

        required property int index
        required property string code
        required property string severity
        required property string message
        required property string hint
        required property string pointer
        required property string place
        required property var fixes
        required property string block
        required property string file
        required property int line
        required property string source

        /// Width of the column for the code, if it fits beside the text.
        readonly property real side: width >= 720 ? 196 : file === "" ? 0 : 84

        function go() {
            root.editor.problemGuide.goTo(index)
            if (file !== "" && root.editor.view === "code")
                root.editor.code.showLine(file, line)
        }

        objectName: "problem:" + index
        width: ListView.view.width
        height: Math.max(text.implicitHeight + 10 + (fixLinks.visible ? fixLinks.height + Theme.space0 : 0), file === "" ? 0 : 50)
        color: hover.hovered ? Theme.alt : "transparent"
        activeFocusOnTab: true
        Keys.onReturnPressed: go()
        Accessible.role: Accessible.ListItem
        Accessible.name: qsTr("%1: %2").arg(Theme.severityName(severity)).arg(message)
        Accessible.onPressAction: go()

        Rectangle {
            x: 16
            y: 10
            width: Theme.space2
            height: Theme.space2
            radius: row.severity === "error" ? height / 2 : Theme.stroke
            color: Theme.severityColor(row.severity)
        }
        PlainText {
            x: 36
            y: 5
            width: Math.min(120, row.width * 0.25)
            text: row.place
            elide: Text.ElideRight
            font.pixelSize: Theme.sizeSmall
            font.weight: Font.DemiBold
        }
        PlainText {
            id: text
            x: 44 + Math.min(120, row.width * 0.25)
            y: 5
            width: parent.width - x - row.side - Theme.space5
            text: row.hint === "" ? row.message : row.message + " — " + row.hint
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeSmall
        }
        PlainText {
            anchors.right: parent.right
            anchors.rightMargin: Theme.space4
            y: 5
            width: row.side
            visible: width > 100
            horizontalAlignment: Text.AlignRight
            text: row.code
            elide: Text.ElideRight
            font.family: Theme.mono
            font.pixelSize: Theme.sizeTiny
            color: Theme.text3
        }
        FixLinks {
            id: fixLinks

            x: text.x
            y: 5 + text.implicitHeight
            width: text.width
            prefix: "fixProblem:" + row.index
            fixes: row.fixes
            onChosen: fix => root.editor.fields.applyProblemFix(row.index, fix)
        }
        PushButton {
            objectName: "problemCode:" + row.index
            anchors.right: parent.right
            anchors.rightMargin: Theme.space2
            y: 22
            visible: row.file !== ""
            implicitHeight: Theme.smallControl
            flat: true
            font.pixelSize: Theme.sizeSmall
            text: qsTr("Line %1").arg(row.line)
            hint: qsTr("Show %1 in the code").arg(row.source === "" ? row.file : row.source)
            onClicked: {
                root.editor.goTo(row.block)
                root.editor.view = "code"
                root.editor.code.showLine(row.file, row.line)
            }
        }
        HoverHandler { id: hover }
        TapHandler { onTapped: row.go() }
    }
    PlainText {
        readonly property int remarks: root.editor.runner.running ? 0 : root.editor.runner.remarks

        objectName: "noProblems"
        x: 16
        y: 12
        visible: root.count === 0
        color: Theme.text3
        text: !root.editor.checked ? qsTr("Checking…")
            : root.editor.empty ? qsTr("No problems.") : qsTr("No problems. This project can run.")
              + (remarks > 0 ? " " + qsTr("The log of the last run has %n warning(s).", "", remarks) : "")
    }
}
