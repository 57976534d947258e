import QtQuick

/// What stands below a field: what its expression gives, or what is wrong and a correction of it.
Column {
    id: root

    property string evaluated
    property string problem
    property string severity: "error"
    property string fix

    signal fixRequested()

    spacing: 2

    PlainText {
        objectName: "evaluated"
        width: root.width
        height: 16
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
    LinkText {
        objectName: "fix"
        width: Math.min(implicitWidth, root.width)
        height: 18
        visible: root.fix !== ""
        text: qsTr("Use %1").arg(root.fix)
        onActivated: root.fixRequested()
    }
}
