import QtQuick

/// A small text in as many lines as it takes.
SmallText {
    wrapMode: Text.Wrap
}
