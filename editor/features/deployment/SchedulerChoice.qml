pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// List of the schedulers, with one line about each; "more" shows the rest.
ChoiceBox {
    id: root

    required property Deployments deployments

    /// Name of the scheduler whose whole documentation is shown.
    property string expanded: ""

    objectName: "field:scheduler"
    implicitWidth: Math.max(84, Math.min(wholeWidth, 200))
    font.family: Theme.sans
    font.pixelSize: Theme.sizeBody
    popupWidth: 480
    popupMost: 720
    wrong: deployments.schedulerProblem !== ""
    model: deployments.schedulers
    textRole: "title"
    valueRole: "name"
    currentIndex: count > 0 ? indexOfValue(deployments.scheduler) : -1
    displayText: deployments.schedulerTitle
    Accessible.name: qsTr("Scheduler")
    Accessible.description: wrong ? deployments.schedulerProblem : deployments.schedulerDocumentation
    Keys.onRightPressed: event => {
        event.accepted = popup.visible && highlightedIndex >= 0
        if (event.accepted)
            expanded = expanded === valueAt(highlightedIndex) ? "" : valueAt(highlightedIndex)
    }
    onActivated: index => deployments.chooseScheduler(valueAt(index))

    Connections {
        target: root.deployments
        function onSchedulerRequested() {
            root.forceActiveFocus(Qt.ShortcutFocusReason)
            root.popup.open()
        }
    }
    FontMetrics {
        id: noteMetrics
        font.family: Theme.sans
        font.pixelSize: Theme.sizeSmall
    }
    HoverHandler { id: hover }
    Hint {
        shown: hover.hovered && !root.popup.visible
        text: root.wrong ? root.deployments.schedulerProblem : root.deployments.schedulerDocumentation
    }

    delegate: ItemDelegate {
        id: option

        required property string name
        required property string title
        required property string documentation
        required property string refused
        required property string group
        required property int index

        readonly property bool whole: root.expanded === name
        readonly property string moreText: whole ? qsTr("less") : qsTr("more")
        readonly property bool isLong: noteMetrics.advanceWidth(documentation) > availableWidth
        readonly property bool chosen: name === root.deployments.scheduler

        objectName: "scheduler:" + name
        width: ListView.view.width
        height: implicitContentHeight + 16
        topPadding: Theme.space2
        bottomPadding: Theme.space2
        leftPadding: Theme.space3
        rightPadding: Theme.space3
        enabled: refused === "" || chosen
        highlighted: root.highlightedIndex === index
        Accessible.name: title
        Accessible.description: refused === "" ? documentation : refused

        contentItem: Column {
            spacing: Theme.space0

            SmallText {
                objectName: "group:" + option.name
                visible: text !== ""
                text: option.group
                bottomPadding: Theme.space1
                color: Theme.text3
            }
            MarkedText {
                icon: option.chosen ? "check" : ""
                text: option.title
                font.weight: Font.DemiBold
                color: option.enabled ? Theme.text : Theme.text3
            }
            NoteText {
                objectName: "refused:" + option.name
                width: parent.width
                visible: text !== ""
                text: option.refused
                color: Theme.warning
            }
            NoteText {
                objectName: "about:" + option.name
                width: parent.width - (option.isLong ? Math.ceil(noteMetrics.advanceWidth(option.moreText)) + Theme.space1 : 0)
                visible: option.enabled
                text: option.documentation
                maximumLineCount: option.whole ? 100 : 1
                elide: Text.ElideRight

                LinkText {
                    objectName: "more:" + option.name
                    anchors.left: parent.right
                    anchors.leftMargin: Theme.space1
                    visible: option.enabled && option.isLong
                    activeFocusOnTab: false
                    text: option.moreText
                    Accessible.name: qsTr("%1: %2").arg(option.title).arg(text)
                    onActivated: root.expanded = option.whole ? "" : option.name
                }
            }
        }
        background: Rectangle {
            radius: Theme.radiusField
            color: option.highlighted ? Theme.selectedRow : "transparent"
        }
    }
}
