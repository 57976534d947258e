import QtQuick
import Weir

/// Fix for a run whose workers spun on CPUs that its other workers needed, while its deployment does not park.
SmallButton {
    id: root

    required property Editor editor
    required property string deployment
    /// True if workers of the run spun on such CPUs.
    required property bool spinning

    visible: spinning && Array.from(editor.results.restless).includes(deployment)
    text: qsTr("Park waiting workers")
    framed: true
    hint: qsTr("Set “wait” of %1 to park, as one undo step. Existing measurements do not change.").arg(deployment)
    onClicked: editor.results.park(deployment)
}
