#include "core/text/prose.h"

#include <QRegularExpression>

namespace weir::editor {

QString prose(QString sentence) {
    static const QRegularExpression code(QStringLiteral("`([^`]+)`"));
    return sentence.replace(code, QStringLiteral("“\\1”"));
}

QString prose(const Json& answer, const char* key) { return prose(string(answer, key)); }

QString firstWords(const QString& sentence) {
    static const QRegularExpression end(QStringLiteral("\\. |: |; |, and | \\("));
    constexpr qsizetype kSide = 3; // `A: `
    return sentence.left(sentence.indexOf(end, kSide));
}

QString firstSentence(const QString& text) {
    static const QRegularExpression end(QStringLiteral("[^.\\s]\\.(\\s|$)"));
    const auto match = end.match(text);
    return match.hasMatch() ? text.left(match.capturedStart() + 2) : text;
}

} // namespace weir::editor
