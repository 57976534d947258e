#pragma once

#include <QTranslator>

namespace weir::editor {

/// The texts are written in English, with both forms of what is counted in one: `%n block(s)` is "1 block" or "2 blocks",
/// `%n entr(y|ies)` "1 entry" or "0 entries". Catalogues of other languages have as many forms as these need.
class English : public QTranslator {
  public:
    QString translate(const char* context, const char* text, const char* disambiguation, int n) const override;
    bool isEmpty() const override { return false; }
};

/// For the whole program. A catalogue that is installed later is asked first.
void speakEnglish();

}  // namespace weir::editor
