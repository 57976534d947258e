pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// What the run that is looked at measured of the block.
Column {
    id: root

    required property Inspector inspector

    spacing: 12

    PlainText {
        width: root.width
        visible: root.inspector.runtimeRun !== ""
        text: root.inspector.runtimeRun
        elide: Text.ElideMiddle
        font.family: Theme.mono
        font.pixelSize: Theme.sizeTiny
        color: Theme.text3
    }
    PlainText {
        width: root.width
        visible: root.inspector.runtime.length === 0
        text: root.inspector.runtimeRun === "" ? qsTr("Nothing was measured yet. Run the project (F6), and the block's numbers are here.")
                                               : qsTr("This run says nothing about the block.")
        wrapMode: Text.Wrap
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
    Repeater {
        model: root.inspector.runtime

        Column {
            id: instance

            required property var modelData

            objectName: "instance:" + modelData.name
            width: root.width
            spacing: 6

            PlainText {
                visible: root.inspector.runtime.length > 1
                text: instance.modelData.name
                font.family: Theme.mono
                font.pixelSize: Theme.sizeSmall
                font.weight: Font.DemiBold
            }
            FactList {
                width: parent.width
                facts: instance.modelData.facts
            }
            Divider { width: parent.width }
        }
    }
}
