import QtQuick
import Weir

Rectangle {
    id: root

    required property Editor editor

    readonly property RunController runner: editor.runner

    property alias tab: tabs.current

    color: Theme.pane

    TabStrip {
        id: tabs

        x: 16
        labels: [root.editor.problemCount > 0 ? qsTr("Problems %1").arg(root.editor.problemCount) : qsTr("Problems"),
                 qsTr("Runs"), qsTr("Log")]
        onChosen: index => tabs.current = index
    }
    Row {
        anchors.right: parent.right
        anchors.rightMargin: 16
        height: 32
        spacing: 12

        PlainText {
            objectName: "runStatus"
            anchors.verticalCenter: parent.verticalCenter
            text: root.runner.status
            font.pixelSize: Theme.sizeSmall
            color: root.runner.failure === "" ? Theme.text2 : Theme.error
        }
        Rectangle {
            anchors.verticalCenter: parent.verticalCenter
            visible: root.runner.running && root.runner.progress >= 0
            width: 160
            height: 6
            radius: 3
            color: Theme.line

            Rectangle {
                width: parent.width * Math.max(root.runner.progress, 0)
                height: 6
                radius: 3
                color: Theme.accent
            }
        }
    }
    Divider {
        y: 32
        width: parent.width
    }
    Item {
        anchors.fill: parent
        anchors.topMargin: 33

        ProblemList {
            anchors.fill: parent
            visible: tabs.current === 0
            editor: root.editor
        }
        RunList {
            anchors.fill: parent
            visible: tabs.current === 1
            editor: root.editor
        }
        LogView {
            anchors.fill: parent
            visible: tabs.current === 2
            runner: root.runner
        }
    }
    Divider { width: parent.width }
    Connections {
        target: root.runner
        function onStarted() { tabs.current = 2 }
        function onFinished() { tabs.current = root.runner.state === "failed" && root.runner.explained ? 0 : root.runner.failure === "" ? 1 : 2 }
    }
}
