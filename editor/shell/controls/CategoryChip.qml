import QtQuick

Rectangle {
    id: root

    property string category
    property bool glyph: true

    width: 20
    height: 20
    radius: 5
    color: Theme.categoryColor(category)

    Text {
        anchors.centerIn: parent
        visible: root.glyph
        text: Theme.categoryGlyphs[root.category] ?? "·"
        color: Theme.chipText
        font.family: Theme.sans
        font.pixelSize: Math.max(6, Math.round(root.width * 0.6))
        font.weight: Font.DemiBold
    }
}
