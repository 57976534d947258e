#pragma once

#include "shell/fields/parameter_model.h"
#include "shell/session/session.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>
#include <QStringList>
#include <QUrl>
#include <QVariantMap>

#include <functional>

namespace weir::editor {

/// Commands of fields, in any view: the row of a ParameterModel says what the field edits.
class Fields : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    /// JSON pointers of the values that a sweep varies.
    Q_PROPERTY(QStringList varied READ varied NOTIFY variedChanged)

  public:
    explicit Fields(Session& session, QObject* parent = nullptr) : QObject(parent), m_session(session) {}

    /// Writes the typed text of row `row` of a model.
    Q_INVOKABLE void commit(QAbstractItemModel* model, int row, const QString& typed) { commit(model, row, typed, {}); }
    /// Commits a field; `first` creates the object that the field is part of, in the same step.
    void commit(QAbstractItemModel* model, int row, const QString& typed,
                const std::function<void(Transaction&)>& first);
    /// Drops refused text.
    Q_INVOKABLE void revert(QAbstractItemModel* model, int row);
    /// Applies fix `fix` of the row's problem.
    Q_INVOKABLE void applyFix(QAbstractItemModel* model, int row, int fix);
    /// Applies a fix of row `problem` of the problems.
    Q_INVOKABLE void applyProblemFix(int problem, int fix);
    QStringList varied() const { return m_varied; }
    void setVaried(const QStringList& places);
    /// Return whether a sweep can vary the value at this place.
    Q_INVOKABLE bool canVary(const QString& place) const;
    /// Adds the field of this row to the sweep, or removes it.
    Q_INVOKABLE void toggleVaried(QAbstractItemModel* model, int row) { emit varyRequested(model, row); }
    /// Focuses the field with this name, if the model has it.
    void focus(ParameterModel& model, const QString& field);
    /// Focuses the first field of the model; returns false if there is none.
    bool focusFirst(ParameterModel& model);
    /// Requests a file dialog for the field of this row.
    Q_INVOKABLE void requestFile(QAbstractItemModel* model, int row);
    /// Writes the chosen file into the field that requested it, even if another selection is shown by now.
    Q_INVOKABLE void takeFile(const QUrl& file);
    /// Return the path of a file for the project: relative to the project's folder if it lies in it.
    QString pathOf(const QUrl& file) const;
    Q_INVOKABLE QStringList completions(const QString& field, int cursor) const;
    /// Return {text, cursor} with the word at the cursor replaced.
    Q_INVOKABLE QVariantMap complete(const QString& field, int cursor, const QString& word) const;

  signals:
    void variedChanged();
    void varyRequested(QAbstractItemModel* model, int row);
    /// The field of row `row` should take the keyboard focus.
    void focusRequested(QAbstractItemModel* model, int row);
    /// The window should open a file dialog.
    void fileRequested();

  private:
    Session& m_session;
    QStringList m_varied;
    ParameterRow m_fileField; ///< field that requested a file
    PartNames m_fileNames;    ///< names in its project at that time
};

} // namespace weir::editor
