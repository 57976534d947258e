#pragma once

#include <QTranslator>

namespace weir::editor {

/// Chooses English plural forms. The source texts have both forms: `%n block(s)` is "1 block" or "2 blocks", `%n
/// entr(y|ies)` is "1 entry" or "0 entries". Catalogues of other languages have the forms that these need.
class English : public QTranslator {
  public:
    QString translate(const char* context, const char* text, const char* disambiguation, int n) const override;
    bool isEmpty() const override { return false; }
};

/// Installs English for the whole program. A catalogue installed later takes precedence.
void speakEnglish();

}  // namespace weir::editor
