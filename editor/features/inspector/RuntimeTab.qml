pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Numbers of the block in the shown run.
Column {
    id: root

    required property Editor editor
    required property Inspector inspector

    readonly property HeatMap heat: editor.results.heat

    spacing: Theme.space3

    TinyText {
        width: root.width
        visible: root.inspector.runtimeRun !== ""
        text: root.inspector.runtimeRun
        elide: Text.ElideMiddle
        font.family: Theme.mono
    }
    NoteText {
        width: root.width
        visible: facts.count === 0
        text: root.inspector.runtimeRun === "" ? qsTr("Not measured yet. Run the project (F6) to see the block's numbers.")
                                               : qsTr("This run has no numbers for the block.")
        color: Theme.text3
    }
    ProfiledPill { visible: facts.count > 0 && root.heat.profiled }
    SmallText {
        visible: profile.visible
        text: qsTr("Work time was not measured.")
    }
    ProfileButton {
        id: profile

        objectName: "profileBlock"
        visible: facts.count > 0 && !root.heat.profiled
        editor: root.editor
        run: root.editor.results.shown.path
    }
    FactList {
        id: facts

        width: root.width
        facts: root.inspector.runtime
    }
}
