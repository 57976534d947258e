import QtQuick
import Weir

/// Legend of the marks on blocks during the preview of a deployment.
Rectangle {
    id: root

    required property Tuner tuner

    objectName: "tuneLegend"
    width: words.width + Theme.space5
    height: words.height + Theme.space4
    visible: tuner.previewing
    radius: Theme.radiusButton
    color: Theme.pane
    border.color: Theme.line
    Accessible.role: Accessible.StaticText
    Accessible.name: words.text

    TinyText {
        id: words

        x: Theme.space3
        y: Theme.space2
        text: Object.keys(root.tuner.blockColours).length > 0 ? qsTr("On a block: its worker now, and the one that it would move to")
                                                              : qsTr("No block would move")
        color: Theme.text2
    }
}
