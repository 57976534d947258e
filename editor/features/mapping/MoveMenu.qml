pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Targets for the selected blocks, or for a worker.
Menu {
    id: root

    required property MappingController mapping

    objectName: "moveMenu"
    implicitWidth: 280
    padding: Theme.space1
    enter: FadeIn {}
    // Begin at the first entry below the heading, for Enter and the arrows.
    onOpened: if (targets.count > 0 && currentIndex < 1) currentIndex = 1

    background: Rectangle {
        radius: Theme.radiusButton
        color: Theme.pane
        border.color: Theme.line
    }
    contentItem: ScrollList {
        implicitHeight: Math.min(contentHeight, 360)
        model: root.contentModel
        ringed: false
        interactive: contentHeight > height
        currentIndex: root.currentIndex
    }

    MenuItem {
        objectName: "moveHeading"
        implicitHeight: Math.max(Theme.tableRow, contentItem.implicitHeight + Theme.space3)
        enabled: false
        contentItem: TinyText {
            text: root.mapping.movedText !== "" ? qsTr("Pin %1 to").arg(root.mapping.movedText)
                : targets.count > 0 ? qsTr("Map %1 to").arg(root.mapping.selectionText)
                : root.mapping.failure !== "" ? qsTr("No plan: %1").arg(root.mapping.failure)
                : !root.mapping.hasPlan ? qsTr("Planning…")
                : qsTr("Only workers can be mapped: arrow keys reach their names")
            wrapMode: Text.Wrap
            leftPadding: Theme.space2
            verticalAlignment: Text.AlignVCenter
        }
        background: null
    }
    Instantiator {
        id: targets

        model: root.mapping.moveTargets

        delegate: MenuItem {
            id: item

            required property string title
            required property string kind
            required property string worker
            required property int cpu

            implicitHeight: 28
            objectName: "moveTo:" + (worker || kind + (cpu >= 0 ? cpu : ""))
            Accessible.name: title
            onTriggered: root.mapping.moveSelection(kind, worker, cpu)
            Keys.onUpPressed: event => {
                event.accepted = root.currentIndex === 1
                if (event.accepted)
                    root.currentIndex = root.count - 1
            }
            Keys.onDownPressed: event => {
                event.accepted = root.currentIndex === root.count - 1
                if (event.accepted)
                    root.currentIndex = 1
            }

            contentItem: PlainText {
                text: item.title
                leftPadding: Theme.space2
                verticalAlignment: Text.AlignVCenter
            }
            background: Rectangle {
                radius: Theme.radiusField
                color: item.highlighted ? Theme.selectedRow : "transparent"
            }
        }
        onObjectAdded: (index, object) => {
            root.insertItem(index + 1, object)
            if (root.opened && root.currentIndex < 1) // the plan came while the menu was open
                root.currentIndex = 1
        }
        onObjectRemoved: (index, object) => root.removeItem(object)
    }
}
