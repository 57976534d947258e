pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Weir

/// Live output of build and run.
FocusScope {
    id: root

    required property RunController runner

    readonly property var levels: ({
        "error": [qsTr("error"), Theme.error], "warning": [qsTr("warning"), Theme.warning],
        "hint": [qsTr("hint"), Theme.text3]
    })

    RowLayout {
        id: bar

        x: 16
        width: parent.width - Theme.space6
        height: 36
        spacing: Theme.space2

        Item { Layout.fillWidth: true }
        TextBox {
            objectName: "logFilter"
            Layout.preferredWidth: 200
            implicitHeight: Theme.smallControl
            placeholderText: qsTr("Filter")
            Accessible.name: qsTr("Show only lines that contain")
            onTextChanged: root.runner.logFilter = text
        }
        PushButton {
            objectName: "logFollow"
            implicitHeight: Theme.smallControl
            flat: true
            visible: !list.follow
            icon.name: "follow"
            text: qsTr("Follow")
            hint: qsTr("Go to the end and stay there")
            onClicked: {
                list.follow = true
                list.positionViewAtEnd()
            }
        }
        PushButton {
            objectName: "logCopy"
            implicitHeight: Theme.smallControl
            flat: true
            enabled: list.count > 0
            text: qsTr("Copy")
            hint: qsTr("Copy the lines that are shown")
            onClicked: root.runner.copyLog()
        }
        PushButton {
            objectName: "logClear"
            implicitHeight: Theme.smallControl
            flat: true
            enabled: list.count > 0
            text: qsTr("Clear")
            hint: qsTr("Remove all lines")
            onClicked: root.runner.clearLog()
        }
    }
    ScrollList {
        id: list

        property bool follow: true

        objectName: "log"
        anchors.fill: parent
        anchors.topMargin: bar.height
        model: root.runner.log
        focus: true
        activeFocusOnTab: true
        currentIndex: -1
        first: -1 // keys scroll it
        paged: false
        Accessible.name: qsTr("Log")
        onCountChanged: if (follow) positionViewAtEnd()
        onMovementEnded: follow = atYEnd
        Keys.onPressed: event => {
            const page = [Qt.Key_PageUp, Qt.Key_PageDown].indexOf(event.key)
            if (page < 0)
                return
            const end = Math.max(originY + contentHeight - height, originY)
            contentY = Math.max(originY, Math.min(end, contentY + (page === 0 ? -height : height)))
            follow = atYEnd
            event.accepted = true
        }
        Keys.onUpPressed: {
            follow = false
            contentY = Math.max(contentY - 54, originY)
        }
        Keys.onDownPressed: {
            contentY = Math.min(contentY + 54, Math.max(originY + contentHeight - height, originY))
            follow = atYEnd
        }
        WheelHandler {
            target: null
            acceptedDevices: PointerDevice.Mouse | PointerDevice.TouchPad
            onWheel: event => {
                const end = Math.max(list.originY + list.contentHeight - list.height, list.originY)
                list.contentY = Math.max(Math.min(list.contentY - event.angleDelta.y / 120 * 54, end), list.originY)
                list.follow = list.atYEnd
            }
        }

        delegate: Item {
            id: line

            required property string display
            required property string level

            readonly property var look: root.levels[level] ?? ["", Theme.text2]

            width: ListView.view.width
            height: words.implicitHeight + Theme.space0
            Accessible.role: Accessible.ListItem
            Accessible.name: display

            TinyText {
                x: 16
                width: 56
                text: line.look[0]
                font.weight: Font.DemiBold
                color: line.look[1]
            }
            NoteText {
                id: words

                x: 76
                width: parent.width - x - Theme.space5
                text: line.display
                font.family: Theme.mono
                color: line.level === "error" ? Theme.error : Theme.text2
            }
        }
        FocusRing {
            anchors.margins: Theme.stroke
            shown: list.activeFocus
        }
    }
    PlainText {
        x: 16
        y: bar.height + Theme.space2
        visible: list.count === 0
        color: Theme.text3
        text: root.runner.logFilter === "" ? qsTr("The output of builds and runs appears here.")
            : qsTr("No line contains this text.")
    }
}
