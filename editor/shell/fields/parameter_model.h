#pragma once

#include "core/json/json.h"
#include "core/rows/row_model.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace weir::editor {

/// One field of the inspector.
struct ParameterRow {
    Q_GADGET
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString type MEMBER type)
    Q_PROPERTY(QString widget MEMBER widget)
    Q_PROPERTY(QString unit MEMBER unit)
    Q_PROPERTY(QString value READ typedValue)
    Q_PROPERTY(QString placeholder READ placeholderText)
    Q_PROPERTY(QStringList options MEMBER options)
    /// Options as the choice shows them.
    Q_PROPERTY(QStringList choices READ shownOptions)
    Q_PROPERTY(QString documentation MEMBER documentation)
    Q_PROPERTY(QString range MEMBER range)
    Q_PROPERTY(QString evaluated READ evaluatedText)
    Q_PROPERTY(QString problem READ problemText)
    Q_PROPERTY(QString severity READ shownSeverity)
    Q_PROPERTY(QStringList fixes READ shownFixes)
    Q_PROPERTY(QStringList refused MEMBER refused)
    Q_PROPERTY(QString shown READ shownValue)
    Q_PROPERTY(bool isSet MEMBER set)
    Q_PROPERTY(bool mixed MEMBER mixed)
    /// JSON pointer of the field's only value; empty: it has several.
    Q_PROPERTY(QString place READ place)

  public:
    QString name;
    QString title;
    QString type;   ///< of the descriptor, or `words`, `number_or_word`, `cpus`, `share`
    QString widget; ///< text, note, choice, switch or file
    QString unit;
    QString value; ///< complete text to edit
    QString shown; ///< text to read: `200 M`
    QString placeholder;
    QStringList options;
    QStringList optionTitles; ///< of `options`; empty: the options themselves
    QStringList refused; ///< for each option, why it is disabled; empty: all are enabled
    QString documentation;
    QString range;     ///< `1 to 64`; empty: no limit
    QString evaluated; ///< `→ 12`: result of the expression; empty for a literal
    QString problem;
    QString severity;
    int problemIndex = -1; ///< row of its problem
    QStringList fixes;     ///< titles of the problem's fixes
    std::optional<double> minimum;
    std::optional<double> maximum;
    QString member; ///< text in the list at `pointer` that the switch adds or removes
    bool set = false;   ///< set in the file, not the default
    bool mixed = false; ///< the selected blocks differ in it
    bool required = false;
    bool literal = false; ///< a plain number, not an expression
    Json::json_pointer pointer;
    std::vector<Json::json_pointer> others; ///< pointers in the other selected blocks
    QString draft;   ///< typed text that was refused
    QString refusal; ///< reason for the refusal

    bool isRefused() const { return !refusal.isEmpty(); }
    QString typedValue() const { return isRefused() ? draft : value; }
    QString shownValue() const { return isRefused() ? draft : shown; }
    QString placeholderText() const { return mixed ? QObject::tr("mixed") : placeholder; }
    QString evaluatedText() const { return isRefused() ? QString() : evaluated; }
    QString problemText() const { return isRefused() ? refusal : problem; }
    QString shownSeverity() const { return isRefused() ? QStringLiteral("error") : severity; }
    QStringList shownFixes() const { return isRefused() ? QStringList() : fixes; }
    QStringList shownOptions() const { return optionTitles.size() == options.size() ? optionTitles : options; }
    QString place() const {
        return others.empty() && member.isEmpty() ? QString::fromStdString(pointer.to_string()) : QString();
    }

    bool operator==(const ParameterRow&) const = default;
};

class ParameterModel : public RowModel<ParameterRow> {
    Q_OBJECT

  public:
    using RowModel::RowModel;

    /// Keeps rows of the same fields at the beginning and at the end: a field keeps its item while it is edited.
    void setRows(std::vector<ParameterRow> rows);
    const ParameterRow* row(const QString& name) const;
    int indexOf(const QString& name) const;
    /// Keeps the typed text in the field, with the reason for the refusal; empty texts end that.
    void setRefusal(int row, const QString& draft, const QString& why);
};

} // namespace weir::editor
