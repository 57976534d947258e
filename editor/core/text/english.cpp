#include "core/text/english.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace weir::editor {

QString English::translate(const char*, const char* text, const char*, int n) const {
    if (n < 0) return {}; // not a count: keep the text unchanged
    static const QRegularExpression forms(QStringLiteral(R"(\(([^()|]*)\|([^()|]*)\)|\((s)\))"));
    return QString::fromUtf8(text).replace(forms, n == 1 ? QStringLiteral("\\1") : QStringLiteral("\\2\\3"));
}

void speakEnglish() {
    static English english;
    QCoreApplication::installTranslator(&english);
}

} // namespace weir::editor
