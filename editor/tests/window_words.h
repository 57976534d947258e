#pragma once

#include "core/json/json.h"

#include <QAccessible>
#include <QQuickItem>
#include <QQuickWindow>
#include <QRegularExpression>
#include <QSet>

#include <functional>

namespace weir::editor {

/// Visits every visible item of the window, including open popups.
inline void forEachItem(QQuickItem* root, const std::function<void(QQuickItem*)>& visit) {
    if (!root->isVisible()) return;
    visit(root);
    const auto children = root->childItems();
    for (QQuickItem* child : children) forEachItem(child, visit);
}

/// Collects texts in a window shown in OtherLanguage that are neither translated nor data.
class WindowWords {
  public:
    /// Marks the strings and keys of a file or answer as data, which is the same in every language.
    void know(const Json& data) {
        if (data.is_string()) know(QString::fromStdString(data.get<std::string>()));
        for (const auto& [key, value] : data.items()) {
            if (data.is_object()) know(QString::fromStdString(key));
            if (data.is_structured()) know(value);
        }
    }
    void know(const QString& data) {
        const QStringList parts = data.split(kBetween, Qt::SkipEmptyParts);
        for (const QString& part : parts) m_known.insert(keyOf(part));
        m_known.insert(keyOf(data));
    }

    void read(QQuickWindow* window) {
        forEachItem(window->contentItem(), [this](QQuickItem* item) {
            if (item->inherits("QQuickText") || item->inherits("QQuickTextInput") || item->inherits("QQuickTextEdit")) {
                check(item, item->property("text").toString());
                check(item, item->property("placeholderText").toString());
            }
            for (const QObject* child : item->children())
                if (child->inherits("QQuickToolTip")) check(item, child->property("text").toString());
            if (QAccessibleInterface* said = QAccessible::queryAccessibleInterface(item)) {
                check(item, said->text(QAccessible::Name));
                check(item, said->text(QAccessible::Description));
            }
        });
    }

    /// Return each untranslated text once, as `text (of item < of item)`.
    QStringList untranslated() const { return {m_found.begin(), m_found.end()}; }

  private:
    void check(const QQuickItem* item, const QString& text) {
        QString outside; // text outside all brackets
        int depth = 0;
        for (const QChar c : text) {
            depth += c == u'⟦';
            outside += depth > 0 ? u'·' : c;
            depth -= c == u'⟧';
        }
        if (isKnown(outside)) return;
        const QStringList parts = outside.split(kBetween, Qt::SkipEmptyParts);
        for (const QString& part : parts)
            if (!isKnown(part))
                m_found.insert(QStringLiteral("\"%1\" in \"%2\" of %3").arg(part, text.left(120), nameOf(item)));
    }

    bool isKnown(const QString& text) const {
        // Texts without words: numbers with units, percentiles, item types, keys of the keyboard, file names.
        static const QRegularExpression neutral(QStringLiteral(
            "^([^\\p{L}]*|[^\\p{L}]*[pnµmkMGT]?(s|Hz|B|iB|KiB|items/s|dB|S/s)|p\\d+(\\.\\d+)?|L\\dd? [\\d.]+ [KMG]iB|"
            "(\\w+ )?(\\w+<)?(f32|f64|c64|[iu]\\d+)(/\\w+)*>?|"
            "((Ctrl|Shift|Alt|Tab|Ins|Del|Home|End|Esc|F\\d+|\\p{L})(\\+|$))+|[\\w./"
            "~-]+\\.(hpp|cpp|txt|json|cmake|md))$"));
        return m_known.contains(keyOf(text)) || neutral.match(text.trimmed()).hasMatch();
    }

    /// Return letters and digits only, since line breaks and the layout of formulas do not depend on the language.
    static QString keyOf(const QString& text) {
        QString key;
        for (const QChar c : text)
            if (c.isLetterOrNumber()) key += c.toLower();
        return key;
    }

    static QString nameOf(const QQuickItem* item) {
        QStringList names;
        for (; item && names.size() < 6; item = item->parentItem())
            if (const QString name = item->objectName(); !name.isEmpty()) names.append(name);
            else if (const QString type = QString::fromLatin1(item->metaObject()->className()); type.contains(u"_QML"))
                names.append(type.section(u'_', 0, 0));
        return names.join(QStringLiteral(" < "));
    }

    static inline const QRegularExpression kBetween{QStringLiteral("[·,:;()\\[\\]\n→×=…]+| [—+] |[.] ")};
    QSet<QString> m_known;
    QSet<QString> m_found;
};

}  // namespace weir::editor
