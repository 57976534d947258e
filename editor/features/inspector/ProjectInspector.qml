pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Inspector without a selection: a summary of the graph, its problems, its parameters.
Column {
    id: root

    required property Editor editor

    readonly property Inspector inspector: editor.inspector
    readonly property int shownProblems: 4

    signal focused(field: Item)

    spacing: Theme.space2

    HeadingText {
        width: root.width
        text: root.inspector.projectName
        elide: Text.ElideMiddle
    }
    SmallText {
        text: root.editor.summary
        color: Theme.text3
    }
    MarkedText {
        icon: root.editor.checked && root.editor.problemCount === 0 ? "check" : ""
        text: !root.editor.checked ? qsTr("Checking…")
            : root.editor.problemCount === 0 ? qsTr("No problems") : root.editor.problemSummary
        font.pixelSize: Theme.sizeSmall
        color: !root.editor.checked ? Theme.text3
             : root.editor.problemCount === 0 ? Theme.ok : Theme.severityColor(root.editor.worstSeverity)
    }
    ParameterTable {
        width: root.width
        parameters: root.editor.projectParameters
        sweep: root.editor.sweep
        fields: root.editor.fields
        onFocused: field => root.focused(field)
    }
    FieldList {
        width: root.width
        fields: root.editor.fields
        model: root.inspector.project
        heading: qsTr("Project")
        onFocused: field => root.focused(field)
    }
    // Last, because content that appears during typing must not move the fields.
    Column {
        width: root.width
        visible: root.editor.problemCount > 0
        spacing: Theme.space0

        SectionText {
            height: Theme.smallControl
            topPadding: Theme.space2
            text: qsTr("Problems")
        }
        Repeater {
            model: root.editor.problems

            ProblemLine {
                width: root.width
                visible: index < root.shownProblems
                onActivated: root.editor.problemGuide.goTo(index)
            }
        }
        SmallText {
            visible: root.editor.problemCount > root.shownProblems
            text: qsTr("and %n more below", "", root.editor.problemCount - root.shownProblems)
            color: Theme.text3
        }
    }
}
