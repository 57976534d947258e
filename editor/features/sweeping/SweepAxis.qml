import QtQuick
import Weir

/// Axis of the sweep: the varied setting and its values.
Column {
    id: root

    required property int index
    required property string key
    required property string title
    required property string values
    required property string problem
    /// Contenders whose sustained rate the loads can be shares of; empty: the values are not shares.
    required property list<string> whose
    required property int of
    required property SweepDesign design

    function takeKeys() {
        box.forceActiveFocus(Qt.TabFocusReason)
        box.selectAll()
    }
    function commit() {
        if (box.text !== values)
            design.commit(index, box.text)
    }

    spacing: Theme.space0

    Item {
        width: parent.width
        height: Theme.smallControl

        ElidedText {
            width: parent.width - away.width - Theme.space1
            height: parent.height
            verticalAlignment: Text.AlignVCenter
            text: root.title
            font.pixelSize: Theme.sizeSmall
        }
        IconButton {
            id: away

            objectName: "sweepUnvary:" + root.key
            anchors.right: parent.right
            width: Theme.smallControl
            height: Theme.smallControl
            icon.name: "close"
            hint: qsTr("Stop varying %1").arg(root.title)
            onClicked: root.design.unvary(root.index)
        }
    }
    TextBox {
        id: box

        objectName: "sweepValues:" + root.key
        width: parent.width
        wrong: root.problem !== ""
        text: root.values
        Accessible.name: qsTr("Values of %1").arg(root.title)
        Accessible.description: root.problem === "" ? hint.text : root.problem
        onEditingFinished: root.commit()
        Keys.onEscapePressed: event => {
            event.accepted = text !== root.values
            text = root.values
        }

        Binding on text {
            value: root.values
            when: !box.activeFocus
            restoreMode: Binding.RestoreNone
        }
        Hint {
            id: hint

            shown: box.hovered && !box.activeFocus
            text: root.whose.length > 0
                ? qsTr("Shares of the sustained rate, such as 10%, 50%, 90%; Weir finds that rate first. Numbers without % are rates.")
                : qsTr("Values of %1, separated by commas: 1, 2, 4. Numbers take suffixes, such as 100k; = begins an expression.").arg(root.title)
        }
    }
    ChoiceBox {
        objectName: "sweepWhose:" + root.key
        width: parent.width
        visible: root.whose.length > 0
        model: root.whose
        currentIndex: root.of
        onModelChanged: currentIndex = Qt.binding(() => root.of) // a new model resets the choice
        Accessible.name: qsTr("Contender whose sustained rate the shares refer to")
        onActivated: index => root.design.setWhose(root.index, index)
    }
    TinyText {
        width: parent.width
        visible: root.problem !== ""
        text: root.problem
        wrapMode: Text.Wrap
        color: Theme.error
        Accessible.role: Accessible.AlertMessage
        Accessible.name: text
    }
}
