import QtQuick

/// Note below a field: the value of its expression, or the problem and a correction of it.
Column {
    id: root

    property string evaluated
    property string problem
    property string severity: "error"
    property var fixes: []

    signal fixRequested(fix: int)

    spacing: Theme.space0

    PlainText {
        objectName: "evaluated"
        width: root.width
        height: Theme.icon
        visible: root.evaluated !== ""
        text: root.evaluated
        elide: Text.ElideRight
        font.family: Theme.mono
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
    PlainText {
        objectName: "fieldProblem"
        width: root.width
        visible: root.problem !== ""
        text: root.problem
        wrapMode: Text.Wrap
        font.pixelSize: Theme.sizeTiny
        color: Theme.severityColor(root.severity)
        Accessible.role: Accessible.AlertMessage
        Accessible.name: text
    }
    FixLinks {
        width: root.width
        prefix: "fix"
        fixes: root.fixes
        onChosen: fix => root.fixRequested(fix)
    }
}
