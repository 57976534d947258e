#pragma once

#include <QtQml/qqmlregistration.h>
#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <QStringList>

#include <functional>
#include <vector>

namespace weir::editor {

enum class ActionGroup { File, Edit, Graph, Mapping, Run, Results, View, Help };

/// Something that the user can ask for, from a menu, a key or the command palette.
struct Action {
    QString id; ///< "graph.align_left"; what QML and tests call it by
    ActionGroup group = ActionGroup::Edit;
    QString title;
    QStringList shortcuts = {};
    std::function<bool()> enabled = {}; ///< none: always
    std::function<void()> run = {};     ///< none: the window answers `requested`
    std::function<bool()> checked = {}; ///< for what is on or off
    std::function<QString()> detail = {}; ///< what it would do right now, such as the name of the step to undo
    bool canvas = false;                ///< its keys are letters, so they count only while the canvas has the focus
    QString hint = {};                  ///< a sentence, where the title does not say all
    QString words = {};                 ///< what it is about and its title does not say: it is found by them, too
    bool told = false;  ///< its keys are read where they are pressed: it stands in the list of keys alone
};

/// Every action of the program, once: menus, shortcuts and the command palette are made of this list.
class Actions : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

  public:
    enum Role {
        ActionIdRole = Qt::UserRole + 1,
        GroupRole,
        GroupTitleRole,
        TitleRole,
        DetailRole,
        KeysRole,
        ShortcutsRole,
        UsableRole,
        CheckableRole,
        CheckedRole,
        OnCanvasRole,
        ToldRole,
        WordsRole
    };
    Q_ENUM(Role)

    using QAbstractListModel::QAbstractListModel;

    void add(Action action);
    /// Keys that a part of the window reads itself while it has the focus, for the list of keys.
    void tell(ActionGroup group, const QString& title, const QStringList& keys);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// Does nothing for what is not enabled now. False: there is no such action, or it is not enabled.
    Q_INVOKABLE bool trigger(const QString& id);
    Q_INVOKABLE bool isEnabled(const QString& id) const;
    Q_INVOKABLE bool isChecked(const QString& id) const;
    Q_INVOKABLE QString title(const QString& id) const;
    Q_INVOKABLE QString hint(const QString& id) const;
    /// The first shortcut as a person reads it, such as "Ctrl+S".
    Q_INVOKABLE QString keys(const QString& id) const;
    /// Reads again what is enabled and checked; menus call it when they open.
    Q_INVOKABLE void refresh();

    /// The names of the groups that have actions, in order, such as "file".
    Q_INVOKABLE QStringList groups() const;
    Q_INVOKABLE QString groupTitle(const QString& group) const;
    Q_INVOKABLE QStringList idsOf(const QString& group) const;

  signals:
    /// Sent before an action saves, runs or copies, so that text typed in a field is taken over first.
    void aboutToTrigger();
    /// An action that the window has to answer, with a dialog for instance.
    void requested(const QString& id);

  private:
    const Action* find(const QString& id) const;

    std::vector<Action> m_actions;
};

/// The actions that fit what was typed, the best first.
class ActionFilter : public QSortFilterProxyModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString typed READ typed WRITE setTyped NOTIFY typedChanged)
    /// Only those that have keys, which are found by their keys too.
    Q_PROPERTY(bool keyed READ isKeyed WRITE setKeyed NOTIFY keyedChanged)

  public:
    explicit ActionFilter(QObject* parent = nullptr);

    QString typed() const { return m_typed; }
    void setTyped(const QString& typed);
    bool isKeyed() const { return m_keyed; }
    void setKeyed(bool keyed);
    Q_INVOKABLE QString idAt(int row) const;

  signals:
    void typedChanged();
    void keyedChanged();

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

  private:
    int score(const QModelIndex& index) const;
    /// It could be shown, whatever was typed.
    bool isAmong(const QModelIndex& index) const;
    void refilter();

    QString m_typed;
    bool m_isSaid = false;  ///< some action has words that begin so: letters that only occur in others do not count
    bool m_keyed = false;
};

} // namespace weir::editor
