#pragma once

#include <QTranslator>

namespace weir::editor {

/// Translator that puts every text into brackets and makes it 40 % longer. Text without brackets is untranslated, and
/// no code may depend on the letters or the length of a text.
class OtherLanguage : public QTranslator {
  public:
    QString translate(const char*, const char* text, const char*, int) const override {
        const QString said = QString::fromUtf8(text);
        return u'⟦' + said + QString((said.size() * 2 + 4) / 5, u'~') + u'⟧';
    }
    bool isEmpty() const override { return false; }
};

}  // namespace weir::editor
