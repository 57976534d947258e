import QtQuick

/// A block type in the insert popup.
BlockLine {
    required property int index
    required property string ports

    objectName: "insert:" + type
    current: ListView.isCurrentItem
}
