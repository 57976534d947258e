import QtQuick
import QtQuick.Layouts
import Weir

/// Shown file, its age and its folder.
Item {
    id: root

    required property CodeController code

    readonly property var choices: Array.of(qsTr("Compare with…")).concat(Array.from(root.code.others))

    signal findRequested()

    implicitHeight: 36

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: Theme.space4
        anchors.rightMargin: Theme.space3
        spacing: Theme.space2

        PlainText {
            text: root.code.file
            font.family: Theme.mono
            font.pixelSize: Theme.sizeSmall
            font.weight: Font.DemiBold
            elide: Text.ElideMiddle
            Layout.maximumWidth: 320
        }
        PlainText {
            objectName: "codeRegion"
            Layout.fillWidth: true
            text: root.code.region === "" ? qsTr("%n line(s)", "", root.code.lineCount) : root.code.region
            elide: Text.ElideRight
            font.pixelSize: Theme.sizeSmall
            color: Theme.text2
        }
        Pill {
            objectName: "codeState"
            visible: text !== ""
            text: root.code.busy ? qsTr("generating…")
                : root.code.failure !== "" && root.code.lineCount > 0 ? qsTr("code of an earlier version")
                : !root.code.upToDate && root.code.lineCount > 0 ? qsTr("code of an earlier version") : ""
            foreground: root.code.busy ? Theme.text2 : Theme.warning
            background: root.code.busy ? Theme.alt : Theme.warningBackground

            HoverHandler { id: hover }
            Hint {
                shown: hover.hovered
                text: root.code.failure
            }
        }
        PushButton {
            objectName: "codeNextPlace"
            implicitHeight: Theme.row
            flat: true
            visible: root.code.places > 1
            icon.name: "arrow_down"
            text: qsTr("%n occurrence(s)", "", root.code.places)
            hint: qsTr("Next lines of the selected block (F4)")
            onClicked: root.code.nextPlace()
        }
        PlainText {
            objectName: "codeDifference"
            visible: root.code.comparedWith !== "" && !root.code.busy
            text: root.code.added + root.code.removed === 0 ? qsTr("no differences")
                : qsTr("+%1 −%2").arg(root.code.added).arg(root.code.removed)
            font.pixelSize: Theme.sizeSmall
            color: Theme.text2
        }
        PushButton {
            objectName: "codeNextDifference"
            implicitHeight: Theme.row
            flat: true
            visible: root.code.added + root.code.removed > 0
            icon.name: "arrow_down"
            hint: qsTr("Next difference")
            onClicked: root.code.nextDifference()
        }
        ChoiceBox {
            objectName: "codeOther"
            Layout.preferredWidth: 168
            implicitHeight: Theme.row
            visible: root.code.others.length > 0
            model: root.choices
            currentIndex: Math.max(root.choices.indexOf(root.code.comparedWith), 0)
            Accessible.name: qsTr("Deployment whose code is compared with this one")
            onActivated: index => root.code.comparedWith = index > 0 ? root.choices[index] : ""
        }
        PushButton {
            objectName: "codeFind"
            implicitHeight: Theme.row
            flat: true
            text: qsTr("Find")
            hint: qsTr("Find in this file (Ctrl+F)")
            onClicked: root.findRequested()
        }
        PushButton {
            objectName: "codeFolder"
            implicitHeight: Theme.row
            flat: true
            enabled: root.code.lineCount > 0
            text: qsTr("Open folder")
            hint: qsTr("Show the generated project in the file manager")
            onClicked: Qt.openUrlExternally(root.code.folder)
        }
    }
    Divider {
        anchors.bottom: parent.bottom
        width: parent.width
    }
}
