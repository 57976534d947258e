import QtQuick
import Weir

/// The mend of a run whose workers span on CPUs that others of them needed, while its deployment does not park.
SmallButton {
    id: root

    required property Editor editor
    required property string deployment
    /// The run is such a one.
    required property bool spinning

    visible: spinning && Array.from(editor.results.restless).includes(deployment)
    text: qsTr("Let the workers park")
    framed: true
    hint: qsTr("Set the waiting of %1 to park, in one undo step. Measurements stay unchanged.").arg(deployment)
    onClicked: editor.results.park(deployment)
}
