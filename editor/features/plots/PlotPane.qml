import QtQuick
import Weir

/// A plot with a title, a button for the logarithmic scale, and buttons to copy and save it.
Rectangle {
    id: root

    required property Editor editor
    required property PlotItem plot
    required property string title
    /// Explanation of the axes, on hover of the title.
    property string explanation
    property bool toggle: true
    property string logarithmicHint: qsTr("Logarithmic: each step multiplies by the same factor")

    default property alias content: place.data

    color: Theme.pane
    border.color: Theme.line
    radius: Theme.radiusNode

    ElidedText {
        x: 12
        y: 10
        width: actions.x - 20
        text: root.title
        font.weight: Font.DemiBold

        HoverHandler { id: overTitle }
        Hint {
            shown: overTitle.hovered && root.explanation !== ""
            text: root.explanation
        }
    }
    Row {
        id: actions

        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        y: 6
        spacing: Theme.space1

        SmallButton {
            objectName: "log:" + root.plot.objectName
            visible: root.toggle
            text: qsTr("Log y axis")
            checkable: true
            checked: root.plot.logarithmic
            hint: root.logarithmicHint
            onClicked: root.plot.logarithmic = !root.plot.logarithmic
        }
        SmallButton {
            text: qsTr("Copy")
            hint: qsTr("Copy as a picture and as SVG (Ctrl+C)")
            onClicked: root.plot.copy()
        }
        SmallButton {
            text: qsTr("Save…")
            hint: qsTr("Save as SVG or PNG")
            onClicked: dialog.open()
        }
    }
    Item {
        id: place

        anchors.fill: parent
        anchors.topMargin: Theme.barControl + Theme.space0
        anchors.margins: Theme.space1
    }
    FocusRing {
        anchors.margins: -1
        shown: root.plot.activeFocus
    }
    FileAsk {
        id: dialog

        editor: root.editor
        title: qsTr("Save the plot")
        mode: FileChooser.SaveFile
        suffix: "svg"
        nameFilters: [qsTr("SVG (*.svg)"), qsTr("PNG (*.png)")]
        onAccepted: root.editor.showNotice(root.plot.save(selectedFile))
    }
}
