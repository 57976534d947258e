#include "prose.h"

#include <QRegularExpression>

namespace weir::editor {

QString prose(QString sentence)
{
    static const QRegularExpression code(QStringLiteral("`([^`]+)`"));
    return sentence.replace(code, QStringLiteral("“\\1”"));
}

QString prose(const Json &answer, const char *key)
{
    return prose(string(answer, key));
}

} // namespace weir::editor
