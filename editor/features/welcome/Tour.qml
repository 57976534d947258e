pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Steps through the window: a word beside the part that it is about.
Item {
    id: root

    /// [{item, title, text}]; the callout stands beside a pane and below a bar.
    required property var steps
    property int step: -1

    readonly property bool running: step >= 0
    readonly property var current: steps[step] ?? null
    readonly property rect place: current ? root.mapFromItem(current.item, 0, 0, current.item.width, current.item.height)
                                          : Qt.rect(0, 0, 0, 0)

    readonly property bool isPane: place.height > place.width
    /// The frame is within a part of the window, and around what is as small as a button.
    readonly property int inset: place.width < 320 && !isPane ? -4 : 3

    signal ended()

    function start() {
        step = 0
        callout.forceActiveFocus(Qt.TabFocusReason)
    }

    function go(to: int) {
        if (to < 0)
            return
        step = to < steps.length ? to : -1
        if (step < 0)
            ended()
        else
            callout.forceActiveFocus(Qt.TabFocusReason)
    }

    function end() {
        step = -1
        ended()
    }

    visible: running
    z: 10

    Rectangle {
        x: root.place.x + root.inset
        y: root.place.y + root.inset
        width: root.place.width - 2 * root.inset
        height: root.place.height - 2 * root.inset
        radius: Theme.radiusNode
        color: "transparent"
        border.width: Theme.strokeStrong
        border.color: Theme.accent
    }
    FocusScope {
        id: callout

        objectName: "tour"
        x: !root.isPane ? Math.max(Theme.space4, Math.min(root.place.x + Theme.space5, root.width - width - Theme.space5))
         : root.place.x > root.width / 2 ? root.place.x - width - 16 : root.place.x + root.place.width + 16
        y: Math.min(root.isPane ? root.place.y + 56 : root.place.y + root.place.height + Theme.space3, root.height - height - 40)
        width: 320
        height: body.implicitHeight + Theme.space6
        Accessible.role: Accessible.Dialog
        Accessible.name: root.current ? root.current.title + ". " + root.current.text : ""
        Keys.onEscapePressed: root.end()
        Keys.onRightPressed: root.go(root.step + 1)
        Keys.onLeftPressed: root.go(root.step - 1)

        Rectangle {
            anchors.fill: parent
            anchors.topMargin: Theme.focusGap
            anchors.bottomMargin: -Theme.space1
            radius: Theme.radiusNode
            color: Theme.shadow
        }
        Rectangle {
            anchors.fill: parent
            radius: Theme.radiusNode
            color: Theme.pane
            border.width: 1
            border.color: Theme.accent
        }
        Column {
            id: body

            x: 16
            y: 16
            width: parent.width - Theme.space6
            spacing: Theme.space2

            PlainText {
                text: root.running ? qsTr("%1 of %2").arg(root.step + 1).arg(root.steps.length) : ""
                font.pixelSize: Theme.sizeTiny
                color: Theme.text3
            }
            PlainText {
                width: parent.width
                text: root.current ? root.current.title : ""
                font.pixelSize: Theme.sizeHeading
                font.weight: Font.DemiBold
                wrapMode: Text.Wrap
            }
            PlainText {
                width: parent.width
                text: root.current ? root.current.text : ""
                wrapMode: Text.Wrap
                color: Theme.text2
            }
            Row {
                spacing: Theme.space2

                PushButton {
                    objectName: "tourNext"
                    primary: true
                    focus: true
                    text: root.step === root.steps.length - 1 ? qsTr("Done") : qsTr("Next")
                    onClicked: root.go(root.step + 1)
                }
                PushButton {
                    objectName: "tourSkip"
                    visible: root.step < root.steps.length - 1
                    flat: true
                    text: qsTr("Skip the tour")
                    onClicked: root.end()
                }
            }
        }
    }
}
