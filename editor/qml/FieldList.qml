pragma ComponentBehavior: Bound

import QtQuick
import Weir

Column {
    id: root

    required property Inspector inspector
    required property var model
    property string heading
    property string emptyText
    property bool removable: false

    readonly property alias count: rows.count

    signal removeRequested(name: string)

    visible: count > 0 || heading === "" || emptyText !== ""

    Item {
        width: root.width
        height: 28
        visible: root.heading !== ""

        PlainText {
            y: 8
            text: root.heading
            font.pixelSize: Theme.sizeTiny
            font.weight: Font.DemiBold
            color: Theme.text3
        }
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
            removable: root.removable
            onCommitted: typed => root.inspector.commit(root.model, index, typed)
            onRemoveRequested: root.removeRequested(name)
        }
    }
}
