pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// What the run that is looked at measured of the block.
Column {
    id: root

    required property Editor editor
    required property Inspector inspector

    readonly property HeatMap heat: editor.results.heat

    spacing: Theme.space3

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
        visible: facts.count === 0
        text: root.inspector.runtimeRun === "" ? qsTr("Nothing was measured yet. Run the project (F6), and the block's numbers are here.")
                                               : qsTr("This run says nothing about the block.")
        wrapMode: Text.Wrap
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
    ProfiledPill { visible: facts.count > 0 && root.heat.profiled }
    Row {
        visible: facts.count > 0 && !root.heat.profiled
        spacing: Theme.space1

        PlainText {
            anchors.verticalCenter: parent.verticalCenter
            text: qsTr("Work time was not measured.")
            font.pixelSize: Theme.sizeSmall
            color: Theme.text2
        }
        ProfileButton {
            objectName: "profileBlock"
            editor: root.editor
            run: root.heat.path
        }
    }
    FactList {
        id: facts

        width: root.width
        facts: root.inspector.runtime
    }
}
