#pragma once

#include <QtQml/qqmlregistration.h>
#include <QAbstractListModel>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace weir::editor {

/// Question that does not block the user: shown above the graph until it is answered.
struct Bar {
    enum class Kind { Question, Warning };

    struct Choice {
        QString id;
        QString title;
        std::function<void()> run;
        bool closes = true; ///< close the bar after the action
    };

    QString id;
    Kind kind = Kind::Question;
    QString text;
    std::vector<Choice> choices;
    bool dismissible = true;
};

class Bars : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of DocumentFiles")

  public:
    enum Role { IdRole = Qt::UserRole + 1, WarningRole, TextRole, ChoiceIdsRole, ChoiceTitlesRole, DismissibleRole };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// Show the bar in place of any bar with the same id.
    void show(Bar bar);
    void remove(const QString& id);
    const Bar* bar(const QString& id) const;

    Q_INVOKABLE void choose(const QString& id, const QString& choice);
    Q_INVOKABLE void dismiss(const QString& id) { remove(id); }

  private:
    int rowOf(const QString& id) const;

    std::vector<Bar> m_bars;
};

} // namespace weir::editor
