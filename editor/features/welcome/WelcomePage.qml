pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Page of an empty graph, with the first steps and the examples.
Flickable {
    id: root

    required property Editor editor

    contentHeight: page.implicitHeight + 2 * Theme.space6
    // Leave unused wheel events to the canvas below.
    interactive: contentHeight > height
    clip: true
    boundsBehavior: Flickable.StopAtBounds
    ScrollBar.vertical: SlimScrollBar {}

    Column {
        id: page

        readonly property int columns: Math.max(1, Math.min(3, Math.floor((root.width - 2 * Theme.space5) / 276)))

        readonly property int mostRecent: 5

        anchors.horizontalCenter: parent.horizontalCenter
        y: Theme.space6
        width: columns * 276 - Theme.space4
        spacing: Theme.space4

        PlainText {
            objectName: "welcomeTitle"
            text: qsTr("Draw a flowgraph")
            font.pixelSize: Theme.sizeTitle
            font.weight: Font.DemiBold
        }
        PlainText {
            width: parent.width
            wrapMode: Text.Wrap
            color: Theme.text2
            text: qsTr("Press Tab and type the name of a block, or drag one from the palette on the left. F1 lists all keys; "
                       + "F10 opens the menu, and Ctrl+F6 goes to the next part of the window.")
        }
        Row {
            spacing: Theme.space2

            PushButton {
                objectName: "welcomeInsert"
                primary: true
                text: qsTr("Insert block…")
                hint: qsTr("Insert block (Tab)")
                onClicked: root.editor.actions.trigger("graph.insert")
            }
            PushButton {
                objectName: "welcomeOpen"
                text: qsTr("Open a project…")
                onClicked: root.editor.actions.trigger("file.open")
            }
            PushButton {
                objectName: "welcomeTour"
                text: qsTr("Show me around")
                onClicked: root.editor.actions.trigger("help.tour")
            }
        }
        Column {
            objectName: "welcomeRecent"
            width: parent.width
            visible: root.editor.files.recent.count > 0
            topPadding: Theme.space2
            spacing: Theme.space2

            PlainText {
                bottomPadding: Theme.space0
                text: qsTr("Recent projects")
                font.weight: Font.DemiBold
            }
            RecentFilter {
                id: filter
                sourceModel: root.editor.files.recent
                typed: box.text
            }
            TextBox {
                id: box

                objectName: "welcomeRecentFilter"
                width: 240
                visible: root.editor.files.recent.count > page.mostRecent
                font.family: Theme.sans
                placeholderText: qsTr("Name or folder")
                Accessible.name: qsTr("Find a recent project")
                onAccepted: if (filter.firstPath() !== "") root.editor.files.open(filter.firstPath())
            }
            Repeater {
                id: recent

                model: filter

                delegate: Row {
                    id: entry

                    required property int index
                    required property string path
                    required property string name
                    required property string folder
                    required property bool missing

                    visible: index < page.mostRecent && !missing
                    spacing: Theme.space3

                    LinkText {
                        id: link

                        objectName: "welcomeRecent:" + entry.index
                        width: Math.min(implicitWidth, page.width / 2)
                        text: entry.name
                        font.pixelSize: Theme.sizeBody
                        onActivated: root.editor.files.open(entry.path)
                    }
                    PlainText {
                        width: Math.min(implicitWidth, page.width - link.width - Theme.space3)
                        anchors.baseline: link.baseline
                        text: entry.folder
                        elide: Text.ElideMiddle
                        font.pixelSize: Theme.sizeSmall
                        color: Theme.text3
                    }
                }
            }
        }
        PlainText {
            topPadding: Theme.space2
            visible: examples.count > 0
            text: qsTr("Or begin with an example")
            font.weight: Font.DemiBold
        }
        Grid {
            columns: page.columns
            spacing: Theme.space4

            Repeater {
                id: examples
                model: root.editor.welcome.examples

                delegate: ExampleCard {
                    editor: root.editor
                }
            }
        }
    }
}
