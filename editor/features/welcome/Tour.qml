pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Tour of the window: each step lights a part and shows its text. The text is low in the centre, where it covers
/// neither the part nor the first page's instructions, and its Next button stays under the pointer.
Item {
    id: root

    /// Steps: [{item, title, text}]
    required property var steps
    property int step: -1

    readonly property bool running: step >= 0
    readonly property var current: steps[step] ?? null
    readonly property rect place: current ? root.mapFromItem(current.item, 0, 0, current.item.width, current.item.height)
                                          : Qt.rect(0, 0, 0, 0)

    readonly property bool isPane: place.height > place.width
    /// The frame is inside a pane of the window, and around smaller items.
    readonly property int insetX: isPane || place.width > width / 2 ? 3 : -Theme.space2
    readonly property int insetY: place.height < Theme.bar - Theme.space1 ? -Theme.space1 : 3

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

    // Shade everything but the part: a border as wide as the window.
    Rectangle {
        anchors.fill: frame
        anchors.margins: -border.width
        color: "transparent"
        border.width: Math.max(root.width, root.height)
        border.color: Theme.shadow
    }
    Rectangle {
        id: frame

        objectName: "tourFrame"
        x: root.place.x + root.insetX
        y: root.place.y + root.insetY
        width: root.place.width - 2 * root.insetX
        height: root.place.height - 2 * root.insetY
        radius: Theme.radiusNode
        color: "transparent"
        border.width: Theme.strokeStrong
        border.color: Theme.accent
    }
    FocusScope {
        id: callout

        objectName: "tour"
        readonly property real middle: (root.width - width) / 2

        x: !root.isPane ? middle
         : root.place.x > root.width / 2 ? Math.min(middle, root.place.x - width - Theme.space4)
                                         : Math.max(middle, root.place.x + root.place.width + Theme.space4)
        y: root.height - height - 2 * Theme.bar
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
