import QtQuick
import Weir

/// Measures what a run left out: stands wherever the work time is missing.
SmallButton {
    id: root

    required property Editor editor
    /// The run that is to be made once more.
    required property string run

    objectName: "profileRun"
    text: qsTr("Profile this run")
    icon.name: "profile"
    framed: true
    enabled: run !== "" && !editor.runner.running
    hint: qsTr("Run the project again with the same options and measure the time of each call. This costs "
               + "about 45 ns per call, so the run is "
               + "marked as profiled, and its throughput is not compared.")
    onClicked: editor.results.profile(run)
}
