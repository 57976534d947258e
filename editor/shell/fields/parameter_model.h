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
    /// Place in the project of the only value of the field; empty: it has several.
    Q_PROPERTY(QString place READ place)

  public:
    QString name;
    QString title;
    QString type;   ///< of the descriptor, or `words` of a list, `number_or_word`, `cpus`, `share` of all or `none`
    QString widget; ///< text, note, choice, switch or file
    QString unit;
    QString value; ///< to be edited: all of it
    QString shown; ///< to be read: `200 M`
    QString placeholder;
    QStringList options;
    QStringList refused; ///< of each option, why it cannot be chosen; empty where all can
    QString documentation;
    QString range;     ///< `1 to 64`, empty where anything goes
    QString evaluated; ///< `→ 12`: what the expression gives, empty for a literal
    QString problem;
    QString severity;
    int problemIndex = -1; ///< of the problem
    QStringList fixes;     ///< what it offers
    std::optional<double> minimum;
    std::optional<double> maximum;
    QString member; ///< the switch says whether the list at `pointer` holds this text
    bool set = false;   ///< the file says it, it is not the default
    bool mixed = false; ///< the chosen blocks differ here
    bool required = false;
    bool literal = false; ///< a number alone: no expression
    Json::json_pointer pointer;
    std::vector<Json::json_pointer> others; ///< of the other chosen blocks
    QString draft;   ///< what was typed and refused
    QString refusal; ///< why

    bool isRefused() const { return !refusal.isEmpty(); }
    QString typedValue() const { return isRefused() ? draft : value; }
    QString shownValue() const { return isRefused() ? draft : shown; }
    QString placeholderText() const { return mixed ? QObject::tr("mixed") : placeholder; }
    QString evaluatedText() const { return isRefused() ? QString() : evaluated; }
    QString problemText() const { return isRefused() ? refusal : problem; }
    QString shownSeverity() const { return isRefused() ? QStringLiteral("error") : severity; }
    QStringList shownFixes() const { return isRefused() ? QStringList() : fixes; }
    QString place() const {
        return others.empty() && member.isEmpty() ? QString::fromStdString(pointer.to_string()) : QString();
    }

    bool operator==(const ParameterRow&) const = default;
};

class ParameterModel : public RowModel<ParameterRow> {
    Q_OBJECT

  public:
    using RowModel::RowModel;

    /// Rows of the same fields, at the beginning and at the end, stay: one that is being edited is not made anew.
    void setRows(std::vector<ParameterRow> rows);
    const ParameterRow* row(const QString& name) const;
    int indexOf(const QString& name) const;
    /// The field keeps what was typed and says why it is not taken; empty texts end that.
    void setRefusal(int row, const QString& draft, const QString& why);
};

} // namespace weir::editor
