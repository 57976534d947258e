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

/// Commands of fields, wherever they stand: the row of a ParameterModel says what it edits.
class Fields : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    /// Places whose values a sweep varies.
    Q_PROPERTY(QStringList varied READ varied NOTIFY variedChanged)

  public:
    explicit Fields(Session& session, QObject* parent = nullptr) : QObject(parent), m_session(session) {}

    /// Writes the typed text of row `row` of a model.
    Q_INVOKABLE void commit(QAbstractItemModel* model, int row, const QString& typed) { commit(model, row, typed, {}); }
    /// Commits a field; `first` creates the object that the field is part of, in the same step.
    void commit(QAbstractItemModel* model, int row, const QString& typed,
                const std::function<void(Transaction&)>& first);
    /// Forgets text that was refused.
    Q_INVOKABLE void revert(QAbstractItemModel* model, int row);
    /// Does the `fix`-th thing that the problem of the row offers.
    Q_INVOKABLE void applyFix(QAbstractItemModel* model, int row, int fix);
    /// Applies a fix of row `problem` of the problems.
    Q_INVOKABLE void applyProblemFix(int problem, int fix);
    QStringList varied() const { return m_varied; }
    void setVaried(const QStringList& places);
    /// Return whether a sweep can vary the value at this place.
    Q_INVOKABLE bool canVary(const QString& place) const;
    /// The field of this row is to be varied, or no longer.
    Q_INVOKABLE void toggleVaried(QAbstractItemModel* model, int row) { emit varyRequested(model, row); }
    /// The keyboard goes to the field of this name, if the model has it.
    void focus(ParameterModel& model, const QString& field);
    /// It goes to the first field of the model; false: there is none.
    bool focusFirst(ParameterModel& model);
    /// Has the window ask for a file for the field of this row.
    Q_INVOKABLE void requestFile(QAbstractItemModel* model, int row);
    /// The file that was asked for, into the field that it was asked for, whatever is shown by now.
    Q_INVOKABLE void takeFile(const QUrl& file);
    /// Return the path of a file for the project: relative to the project's folder if it lies in it.
    QString pathOf(const QUrl& file) const;
    Q_INVOKABLE QStringList completions(const QString& field, int cursor) const;
    /// {text, cursor} with the word at the cursor replaced.
    Q_INVOKABLE QVariantMap complete(const QString& field, int cursor, const QString& word) const;

  signals:
    void variedChanged();
    void varyRequested(QAbstractItemModel* model, int row);
    /// The field of row `row` should have the keyboard.
    void focusRequested(QAbstractItemModel* model, int row);
    /// The window should ask for a file.
    void fileRequested();

  private:
    Session& m_session;
    QStringList m_varied;
    ParameterRow m_fileField; ///< that a file is asked for
    PartNames m_fileNames;    ///< of the project that it was a field of
};

} // namespace weir::editor
