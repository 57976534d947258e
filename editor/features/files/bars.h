#pragma once

#include <QtQml/qqmlregistration.h>
#include <QAbstractListModel>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace weir::editor {

/// Something that the user should decide, without being stopped: shown above the graph until it is.
struct Bar {
    enum class Kind { Question, Warning };

    struct Choice {
        QString id;
        QString title;
        std::function<void()> run;
        bool closes = true; ///< the bar has done its work
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

    /// Takes the place of the bar with the same id.
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
