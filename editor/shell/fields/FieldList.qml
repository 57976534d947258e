pragma ComponentBehavior: Bound

import QtQuick
import Weir

Column {
    id: root

    required property Fields fields
    required property var model
    property string heading
    property string emptyText
    property int labelWidth: Theme.fieldLabel

    readonly property alias count: rows.count

    /// The requested field has the keyboard focus now.
    signal focused(field: Item)

    /// Gives the keyboard focus to the first field.
    function takeFocus() {
        (rows.itemAt(0) as FieldRow)?.takeFocus()
    }

    visible: count > 0 || emptyText !== ""

    PlainText {
        width: root.width
        height: Theme.row
        topPadding: Theme.space2
        visible: root.heading !== ""
        text: root.heading
        font.pixelSize: Theme.sizeTiny
        font.weight: Font.DemiBold
        color: Theme.text3
    }
    PlainText {
        width: root.width
        visible: root.count === 0 && root.emptyText !== ""
        text: root.emptyText
        wrapMode: Text.Wrap
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
    Repeater {
        id: rows

        model: root.model

        FieldRow {
            width: root.width
            fields: root.fields
            labelWidth: root.labelWidth
            onCommitted: typed => root.fields.commit(root.model, index, typed)
            onReverted: root.fields.revert(root.model, index)
            onFileRequested: root.fields.requestFile(root.model, index)
            onVaryRequested: root.fields.toggleVaried(root.model, index)
            onFixRequested: fix => root.fields.applyFix(root.model, index, fix)
        }
    }
    Connections {
        target: root.fields
        function onFocusRequested(model, row) {
            if (model !== root.model)
                return
            later.row = row
            later.restart()
        }
    }
    Timer {
        id: later

        property int row

        // The field may only just have become visible.
        interval: 0
        onTriggered: {
            const field = rows.itemAt(row) as FieldRow
            if (!field)
                return
            field.takeFocus()
            root.focused(field)
        }
    }
}
