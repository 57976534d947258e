#pragma once

#include <QtQml/qqmlregistration.h>
#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <QStringList>

#include <functional>
#include <vector>

namespace weir::editor {

enum class ActionGroup { File, Edit, Graph, Mapping, Run, Results, View, Help };

/// Command of the user, from a menu, a key or the command palette.
struct Action {
    QString id; ///< "graph.align_left"; the name in QML and tests
    ActionGroup group = ActionGroup::Edit;
    QString title;
    QStringList shortcuts = {};
    std::function<bool()> enabled = {}; ///< empty: always enabled
    std::function<void()> run = {};     ///< empty: the window handles `requested`
    std::function<bool()> checked = {}; ///< for switches
    std::function<QString()> detail = {}; ///< what it would do now, such as the name of the step to undo
    bool canvas = false;                ///< its keys are letters, which count only while the canvas has the focus
    QString hint = {};                  ///< a sentence, if the title does not say enough
    QString words = {};                 ///< further words to find it by
    bool listedOnly = false;  ///< a part of the window reads its keys: only the list of keys shows it
};

/// All actions of the program: menus, shortcuts and the command palette use this list.
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
        ListedOnlyRole,
        WordsRole
    };
    Q_ENUM(Role)

    using QAbstractListModel::QAbstractListModel;

    void add(Action action);
    /// Adds keys that a part of the window reads itself, to the list of keys.
    void listKeys(ActionGroup group, const QString& title, const QStringList& keys);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// Runs an action. Returns false, and does nothing, if it does not exist or is not enabled.
    Q_INVOKABLE bool trigger(const QString& id);
    Q_INVOKABLE bool isEnabled(const QString& id) const;
    Q_INVOKABLE bool isChecked(const QString& id) const;
    Q_INVOKABLE QString title(const QString& id) const;
    Q_INVOKABLE QString hint(const QString& id) const;
    /// Return the first shortcut as shown to the user, such as "Ctrl+S".
    Q_INVOKABLE QString keys(const QString& id) const;
    /// Updates enabled and checked states; menus call it when they open.
    Q_INVOKABLE void refresh();

    /// Return the identifiers of the non-empty groups, in order, such as "file".
    Q_INVOKABLE QStringList groups() const;
    Q_INVOKABLE QString groupTitle(const QString& group) const;
    Q_INVOKABLE QStringList idsOf(const QString& group) const;

  signals:
    /// Sent before an action saves, runs or copies, so that fields commit typed text first.
    void aboutToTrigger();
    /// The window has to handle an action, for instance with a dialog.
    void requested(const QString& id);

  private:
    const Action* find(const QString& id) const;

    std::vector<Action> m_actions;
};

/// Actions that match the typed text, the best first.
class ActionFilter : public QSortFilterProxyModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString typed READ typed WRITE setTyped NOTIFY typedChanged)
    /// Only actions with keys, which are also found by key.
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
    /// Return whether the action could be listed, ignoring the typed text.
    bool isAmong(const QModelIndex& index) const;
    void refilter();

    QString m_typed;
    bool m_isSaid = false;  ///< some action has words with this beginning: matches by letters alone do not count
    bool m_keyed = false;
};

} // namespace weir::editor
