#pragma once

#include <QString>
#include <QStringList>

namespace weir::editor {

/// Return true for a character of a name: a letter, a digit or `_`.
bool isWord(QChar c);

/// Return the expression with a parameter renamed; function names and number suffixes stay.
QString withNameReplaced(const QString& expression, const QString& from, const QString& to);
bool usesName(const QString& expression, const QString& name);

/// Return the completions at `cursor` of a field with an expression (`= 2 * sta|`): parameters first, then
/// functions with their parenthesis. Empty in the middle of a complete word, or where no name begins.
QStringList completions(const QString& field, int cursor, const QStringList& parameters);

struct Completed {
    QString text;
    int cursor = 0;
};
/// Return the field with the word at the cursor replaced.
Completed complete(const QString& field, int cursor, const QString& word);

} // namespace weir::editor
