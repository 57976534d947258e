#include "core/text/expression_text.h"

#include <QRegularExpression>

#include <functional>

namespace weir::editor {
namespace {

const QStringList kFunctions{QStringLiteral("abs("),   QStringLiteral("ceil("), QStringLiteral("floor("),
                             QStringLiteral("log2("),  QStringLiteral("max("),  QStringLiteral("min("),
                             QStringLiteral("round("), QStringLiteral("sqrt(")};

/// Numbers with their suffixes match first, so that the k of `10 k` is no name; a name before `(` is a function.
const QRegularExpression& tokens() {
    static const QRegularExpression pattern(
        QStringLiteral("(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?: ?[pnuµμmkMGT](?![A-Za-z0-9_]))?"
                       "|(?<function>[A-Za-z_][A-Za-z0-9_]*)(?=\\s*\\()"
                       "|(?<name>[A-Za-z_][A-Za-z0-9_]*)"));
    return pattern;
}

int wordStart(const QString& field, int cursor) {
    int start = qBound(0, cursor, static_cast<int>(field.size()));
    while (start > 0 && isWord(field.at(start - 1))) --start;
    return start;
}

int wordEnd(const QString& field, int cursor) {
    int end = qBound(0, cursor, static_cast<int>(field.size()));
    while (end < field.size() && isWord(field.at(end))) ++end;
    return end;
}

} // namespace

bool isWord(QChar c) { return c.isLetterOrNumber() || c == u'_'; }

QString withNameReplaced(const QString& expression, const QString& from, const QString& to) {
    QString result;
    qsizetype done = 0;
    auto match = tokens().globalMatch(expression);
    while (match.hasNext()) {
        const auto token = match.next();
        if (token.captured(QStringLiteral("name")) != from) continue;
        result += expression.mid(done, token.capturedStart() - done) + to;
        done = token.capturedEnd();
    }
    return result + expression.mid(done);
}

bool usesName(const QString& expression, const QString& name) {
    auto match = tokens().globalMatch(expression);
    while (match.hasNext())
        if (match.next().captured(QStringLiteral("name")) == name) return true;
    return false;
}

QStringList completions(const QString& field, int cursor, const QStringList& parameters) {
    if (!field.trimmed().startsWith(u'=') || cursor <= field.indexOf(u'=')) return {};
    const int start = wordStart(field, cursor);
    const QString prefix = field.mid(start, cursor - start);
    if (prefix.isEmpty() || prefix.at(0).isDigit() || wordEnd(field, cursor) != cursor) return {};
    QStringList found;
    for (const QString& name : parameters + kFunctions)
        if (name.startsWith(prefix) && name != prefix) found.append(name);
    return found;
}

Completed complete(const QString& field, int cursor, const QString& word) {
    const int start = wordStart(field, cursor);
    QString text = field.left(start) + word + field.mid(wordEnd(field, cursor));
    return {text, start + static_cast<int>(word.size())};
}

} // namespace weir::editor
