import QtQuick

/// The first thing that is wrong with the block, in words, with a correction where there is one.
Rectangle {
    id: root

    required property var problem

    readonly property bool isError: problem.severity === "error"

    signal fixRequested(index: int)

    visible: problem.message !== undefined
    implicitHeight: visible ? content.height + 16 : 0
    radius: Theme.radiusButton
    color: isError ? Theme.errorBackground : Theme.warningBackground

    Column {
        id: content

        x: 12
        y: 8
        width: root.width - 24
        spacing: 4

        PlainText {
            width: parent.width
            text: root.problem.message ?? ""
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeSmall
            font.weight: Font.Medium
            color: root.isError ? Theme.error : Theme.warning
        }
        PlainText {
            width: parent.width
            visible: text !== ""
            text: root.problem.hint ?? ""
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeSmall
            color: root.isError ? Theme.error : Theme.warning
        }
        LinkText {
            objectName: "fixBlock"
            width: Math.min(implicitWidth, parent.width)
            visible: (root.problem.fix ?? "") !== ""
            text: qsTr("Use %1").arg(root.problem.fix ?? "")
            onActivated: root.fixRequested(root.problem.index)
        }
    }
}
