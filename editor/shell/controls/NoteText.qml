import QtQuick

/// Small text that wraps.
SmallText {
    wrapMode: Text.Wrap
}
