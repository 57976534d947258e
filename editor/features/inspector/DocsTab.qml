import QtQuick
import Weir

Column {
    id: root

    required property Inspector inspector

    spacing: Theme.space3

    PlainText {
        objectName: "typeTitle"
        width: root.width
        visible: text !== ""
        text: root.inspector.title
        wrapMode: Text.Wrap
        font.weight: Font.DemiBold
    }
    PlainText {
        objectName: "documentation"
        width: root.width
        text: root.inspector.documentation
        wrapMode: Text.Wrap
        lineHeight: 1.2
        color: Theme.text2
    }
    Divider {
        width: root.width
        visible: facts.count > 0
    }
    FactList {
        id: facts

        width: root.width
        facts: root.inspector.facts
    }
    LinkText {
        objectName: "source"
        width: Math.min(implicitWidth, root.width)
        visible: ("" + root.inspector.source) !== ""
        text: qsTr("C++ source: %1.hpp").arg(root.inspector.blockType)
        onActivated: Qt.openUrlExternally(root.inspector.source)

        HoverHandler { id: hover }
        Hint {
            shown: hover.hovered
            text: ("" + root.inspector.source).replace("file://", "")
        }
    }
}
