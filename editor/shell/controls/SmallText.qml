import QtQuick

/// Secondary text, beside a value or below a title.
PlainText {
    font.pixelSize: Theme.sizeSmall
    color: Theme.text2
}
