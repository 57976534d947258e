pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// The taps of the selected block: their response, and the design that they come from.
Column {
    id: root

    required property Editor editor

    readonly property alias filter: design

    /// Emitted when the first field has taken the keyboard focus.
    signal focused(field: Item)
    /// Emitted when Enter changed no value in a field of a proposed design.
    signal entered()

    function enter(event: var) {
        event.accepted = design.state === FilterDesign.Proposed
        if (event.accepted && !taking.running)
            entered()
    }

    visible: design.possible
    spacing: Theme.space2

    FilterDesign {
        id: design

        session: root.editor
        active: root.parent.visible
    }
    Item {
        width: root.width
        height: Theme.fieldControl

        PlainText {
            objectName: "designSummary"
            anchors.verticalCenter: parent.verticalCenter
            width: begin.visible ? begin.x - Theme.space2 : parent.width
            text: design.summary
            elide: Text.ElideRight
            font.pixelSize: Theme.sizeTiny
            font.weight: Font.DemiBold
            color: Theme.text3
        }
        PushButton {
            id: begin

            objectName: "beginDesign"
            anchors.right: parent.right
            height: parent.height
            visible: design.state === FilterDesign.Plain
            text: qsTr("Design…")
            hint: qsTr("Compute taps from a cutoff and a transition")
            onClicked: {
                design.propose()
                later.restart()
            }
        }
    }
    PlainText {
        objectName: "designChanged"
        width: root.width
        visible: design.state === FilterDesign.Changed && !design.asking
        text: design.sound ? qsTr("The taps of the block (grey curve) differ from its design.")
                           : qsTr("The design no longer gives taps.")
        wrapMode: Text.Wrap
        font.pixelSize: Theme.sizeSmall
        color: Theme.warning
    }
    Timer {
        id: taking // runs until the key press that committed a value has passed

        interval: 0
    }
    Column {
        width: root.width
        Keys.onReturnPressed: event => root.enter(event)
        Keys.onEnterPressed: event => root.enter(event)

        Repeater {
            id: fields

            model: design.fields

            FieldRow {
                width: root.width
                fields: root.editor.fields
                onCommitted: typed => {
                    taking.start()
                    design.commit(index, typed)
                }
                onReverted: design.revert(index)
            }
        }
    }
    Rectangle {
        width: root.width
        height: 190
        radius: Theme.radiusField
        color: Theme.pane
        border.color: Theme.line

        ResponsePlot {
            id: plot

            objectName: "response"
            anchors.fill: parent
            anchors.margins: Theme.space0
            design: design
            style: Theme.plotStyle
            opacity: design.asking ? 0.6 : 1
            // The buttons that decide on the design are at the foot of the pane, behind the fields below.
            Keys.onTabPressed: event => root.enter(event)
            Accessible.role: Accessible.Graphic
            Accessible.name: qsTr("Response of the taps")
            Accessible.description: design.summary
        }
        FocusRing { shown: plot.activeFocus }
    }
    FactList {
        objectName: "designFacts"
        width: root.width
        facts: design.facts
        opacity: plot.opacity
    }
    PlainText {
        objectName: "designProblem"
        width: root.width
        visible: design.problem !== ""
        text: design.problem
        wrapMode: Text.Wrap
        font.pixelSize: Theme.sizeSmall
        color: Theme.error
        Accessible.role: Accessible.AlertMessage
        Accessible.name: text
    }
    Timer {
        id: later

        // The fields exist only after this event.
        interval: 0
        onTriggered: {
            const field = fields.itemAt(0) as FieldRow
            if (!field)
                return
            field.takeFocus()
            root.focused(field)
        }
    }
}
