pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

ListView {
    id: root

    required property RunController runner

    clip: true
    topMargin: 8
    model: runner.log
    boundsBehavior: Flickable.StopAtBounds
    onCountChanged: positionViewAtEnd()
    ScrollBar.vertical: ScrollBar { policy: ScrollBar.AsNeeded }

    delegate: PlainText {
        required property string display

        x: 16
        width: ListView.view.width - 32
        text: display
        wrapMode: Text.WrapAnywhere
        font.family: Theme.mono
        font.pixelSize: Theme.sizeSmall
        color: Theme.text2
    }
    PlainText {
        x: 16
        y: 12
        visible: root.count === 0
        color: Theme.text3
        text: qsTr("What build and run print appears here.")
    }
}
