#pragma once

#include "features/inspector/project_parameter_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>

namespace weir::editor {

class Fields;
class Session;

/// The project's parameters, which expressions and sweeps use.
class ProjectParameters : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(QAbstractItemModel* model READ model CONSTANT)

  public:
    ProjectParameters(Session& session, Fields& fields, QObject* parent = nullptr);

    QAbstractItemModel* model() { return &m_model; }

    /// Commit a field: value, minimum, maximum or description.
    Q_INVOKABLE void commit(int row, const QString& field, const QString& typed);
    Q_INVOKABLE void revert(int row) { m_model.setRefusal(row, {}, {}); }
    /// Apply fix number `fix` of the row's problem.
    Q_INVOKABLE void applyFix(int row, int fix);
    /// Move the slider. All moves until `endSlide` are one undo step.
    Q_INVOKABLE void slide(int row, qreal position);
    Q_INVOKABLE void endSlide();
    Q_INVOKABLE bool add(const QString& name);
    Q_INVOKABLE void remove(int row);
    /// Rename the parameter in every expression that uses it. Return whether it has the new name.
    Q_INVOKABLE bool rename(int row, const QString& name);

  signals:
    /// Emitted to focus a row's value, minimum, maximum or description, as `field` says.
    void focusRequested(const QString& name, const QString& field);

  private:
    void update();
    bool isFree(const QString& name);

    Session& m_session;
    Fields& m_fields;
    ProjectParameterModel m_model;
};

} // namespace weir::editor
