import QtQuick
import Weir

/// First problem of the block, or first missing step, in words, with buttons for fixes.
Rectangle {
    id: root

    required property blockProblem problem

    readonly property color ink: Theme.severityColor(problem.severity)

    signal fixRequested(problem: int, fix: int)

    visible: problem.message !== ""
    implicitHeight: visible ? content.height + Theme.space4 : 0
    radius: Theme.radiusButton
    color: problem.severity === "error" ? Theme.errorBackground
         : problem.severity === "warning" ? Theme.warningBackground : Theme.alt

    Column {
        id: content

        x: 12
        y: 8
        width: root.width - Theme.space5
        spacing: Theme.space1

        PlainText {
            objectName: "blockProblem"
            width: parent.width
            text: (root.problem.severity === "unfinished" ? qsTr("Not finished yet: %1").arg(root.problem.message)
                                                          : root.problem.message) + (root.problem.hint === "" ? "" : ".")
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeSmall
            font.weight: Font.Medium
            color: root.ink
        }
        PlainText {
            width: parent.width
            visible: text !== ""
            text: root.problem.hint
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeSmall
            color: Theme.text2
        }
        FixLinks {
            width: parent.width
            prefix: "fixBlock"
            fixes: root.problem.fixes
            onChosen: fix => root.fixRequested(root.problem.index, fix)
        }
    }
}
