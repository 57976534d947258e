pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// The shown folder and its parents as buttons; if space is short, only the last ones.
Item {
    id: root

    required property FileChooser chooser

    implicitHeight: Theme.row

    SmallButton {
        id: up
        objectName: "fileUp"
        anchors.verticalCenter: parent.verticalCenter
        text: qsTr("Up")
        hint: qsTr("Go to the parent folder (Backspace)")
        onClicked: root.chooser.goUp()
    }
    Rectangle {
        anchors.fill: parent
        anchors.leftMargin: up.width + Theme.space2
        radius: Theme.radiusField
        color: Theme.alt
        clip: true

        Row {
            id: steps
            x: Math.min(Theme.space1, parent.width - width - Theme.space1)
            height: parent.height

            Repeater {
                model: root.chooser.way

                delegate: Row {
                    id: step

                    required property string modelData
                    required property int index

                    height: parent?.height ?? 0

                    SmallText {
                        anchors.verticalCenter: parent.verticalCenter
                        visible: step.index > 1
                        text: "/"
                        color: Theme.text3
                    }
                    SmallButton {
                        objectName: "fileWay:" + step.modelData
                        anchors.verticalCenter: parent.verticalCenter
                        text: step.index === 0 ? "/" : step.modelData.slice(step.modelData.lastIndexOf("/") + 1)
                        Accessible.name: step.modelData
                        onClicked: root.chooser.goTo(step.modelData)
                    }
                }
            }
        }
    }
}
