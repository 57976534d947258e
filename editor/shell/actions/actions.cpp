#include "shell/actions/actions.h"

#include "core/rows/row_model.h"
#include "core/text/fuzzy_match.h"

#include <QKeySequence>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr int kMoreThanLetters = 10000; ///< score of words that begin with the typed text

QString titleOf(ActionGroup group) {
    switch (group) {
        case ActionGroup::File: return Actions::tr("File");
        case ActionGroup::Edit: return Actions::tr("Edit");
        case ActionGroup::Graph: return Actions::tr("Graph");
        case ActionGroup::Mapping: return Actions::tr("Mapping");
        case ActionGroup::Run: return Actions::tr("Run");
        case ActionGroup::Results: return Actions::tr("Results");
        case ActionGroup::View: return Actions::tr("View");
        case ActionGroup::Help: return Actions::tr("Help");
    }
    return {};
}

/// Return the identifier of a group, the same in every language.
QString nameOf(ActionGroup group) {
    constexpr const char* kNames[] = {"file", "edit", "graph", "mapping", "run", "results", "view", "help"};
    return QLatin1String(kNames[static_cast<std::size_t>(group)]);
}

bool isOn(const std::function<bool()>& question, bool otherwise) { return question ? question() : otherwise; }

QString keysOf(const Action& action) {
    return action.shortcuts.isEmpty() ? QString()
                                      : QKeySequence(action.shortcuts.first()).toString(QKeySequence::NativeText);
}

} // namespace

void Actions::add(Action action) {
    Q_ASSERT_X(!find(action.id), "Actions::add", "an action is registered once");
    // Keep groups together, in the order of the menus, whatever the order of registration.
    const auto place = std::upper_bound(m_actions.begin(), m_actions.end(), action.group,
                                        [](ActionGroup group, const Action& other) { return group < other.group; });
    const int row = static_cast<int>(place - m_actions.begin());
    beginInsertRows({}, row, row);
    m_actions.insert(place, std::move(action));
    endInsertRows();
}

void Actions::listKeys(ActionGroup group, const QString& title, const QStringList& keys) {
    Action action{.id = QStringLiteral("keys.") + title, .group = group, .title = title, .shortcuts = keys};
    action.enabled = [] { return false; };
    action.canvas = group == ActionGroup::Graph;
    action.listedOnly = true;
    add(std::move(action));
}

int Actions::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_actions.size());
}

QVariant Actions::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Action& action = m_actions[index.row()];
    switch (role) {
        case ActionIdRole: return action.id;
        case GroupRole: return static_cast<int>(action.group);
        case GroupTitleRole: return titleOf(action.group);
        case Qt::DisplayRole:
        case TitleRole: return action.title;
        case DetailRole: return action.detail ? action.detail() : QString();
        case KeysRole: return keysOf(action);
        case ShortcutsRole: return action.shortcuts;
        case UsableRole: return isOn(action.enabled, true);
        case CheckableRole: return static_cast<bool>(action.checked);
        case CheckedRole: return isOn(action.checked, false);
        case OnCanvasRole: return action.canvas;
        case ListedOnlyRole: return action.listedOnly;
        case WordsRole: return action.words;
        default: return {};
    }
}

QHash<int, QByteArray> Actions::roleNames() const { return roleNamesOf<Role>(); }

bool Actions::trigger(const QString& id) {
    emit aboutToTrigger();
    const Action* action = find(id);
    if (!action || !isOn(action->enabled, true)) return false;
    if (action->run) action->run();
    else emit requested(id);
    return true;
}

bool Actions::isEnabled(const QString& id) const {
    const Action* action = find(id);
    return action && isOn(action->enabled, true);
}

bool Actions::isChecked(const QString& id) const {
    const Action* action = find(id);
    return action && isOn(action->checked, false);
}

QString Actions::title(const QString& id) const {
    const Action* action = find(id);
    return action ? action->title : QString();
}

QString Actions::hint(const QString& id) const {
    const Action* action = find(id);
    return action ? action->hint : QString();
}

QString Actions::keys(const QString& id) const {
    const Action* action = find(id);
    return action ? keysOf(*action) : QString();
}

void Actions::refresh() {
    if (!m_actions.empty()) emit dataChanged(index(0), index(rowCount() - 1), {UsableRole, CheckedRole, DetailRole});
}

QStringList Actions::groups() const {
    QStringList names;
    for (const Action& action : m_actions)
        if (const QString name = nameOf(action.group); names.isEmpty() || names.last() != name) names.append(name);
    return names;
}

QString Actions::groupTitle(const QString& group) const {
    const auto it = std::find_if(m_actions.begin(), m_actions.end(),
                                 [&](const Action& action) { return nameOf(action.group) == group; });
    return it == m_actions.end() ? QString() : titleOf(it->group);
}

QStringList Actions::idsOf(const QString& group) const {
    QStringList ids;
    for (const Action& action : m_actions)
        if (nameOf(action.group) == group && !action.listedOnly) ids.append(action.id);
    return ids;
}

const Action* Actions::find(const QString& id) const {
    const auto it =
        std::find_if(m_actions.begin(), m_actions.end(), [&](const Action& action) { return action.id == id; });
    return it == m_actions.end() ? nullptr : &*it;
}

ActionFilter::ActionFilter(QObject* parent) : QSortFilterProxyModel(parent) { sort(0); }

void ActionFilter::setTyped(const QString& typed) {
    if (m_typed == typed) return;
    m_typed = typed;
    refilter();
    emit typedChanged();
}

void ActionFilter::setKeyed(bool keyed) {
    if (m_keyed == keyed) return;
    m_keyed = keyed;
    refilter();
    emit keyedChanged();
}

QString ActionFilter::idAt(int row) const { return index(row, 0).data(Actions::ActionIdRole).toString(); }

bool ActionFilter::isAmong(const QModelIndex& index) const {
    // The search for keys also finds actions without a key.
    return m_keyed ? !m_typed.isEmpty() || !index.data(Actions::ShortcutsRole).toStringList().isEmpty()
                   : !index.data(Actions::ListedOnlyRole).toBool();
}

void ActionFilter::refilter() {
    m_isSaid = false;
    for (int row = 0; sourceModel() && !m_typed.isEmpty() && row < sourceModel()->rowCount(); ++row)
        if (const QModelIndex index = sourceModel()->index(row, 0); isAmong(index) && score(index) >= kMoreThanLetters)
            m_isSaid = true;
    invalidate();
}

int ActionFilter::score(const QModelIndex& index) const {
    const QString title = index.data(Actions::TitleRole).toString();
    QString all = index.data(Actions::GroupTitleRole).toString() + u' ' + title + u' ' +
                  index.data(Actions::WordsRole).toString();
    if (m_keyed) all += u' ' + index.data(Actions::ShortcutsRole).toStringList().join(u' ');
    // "file open" also finds Open, but ranks it after direct matches of the title.
    const int letters = std::max(2 * fuzzyScore(m_typed, title), fuzzyScore(m_typed, all));
    // Words that each begin a word of the action, in any order, rank before scattered letters.
    const QStringList words = m_typed.split(u' ', Qt::SkipEmptyParts);
    const bool said = std::all_of(words.begin(), words.end(), [&](const QString& word) {
        return (u' ' + all).contains(u' ' + word, Qt::CaseInsensitive);
    });
    return said ? letters + kMoreThanLetters : letters;
}

bool ActionFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    return isAmong(index) && (m_typed.isEmpty() || score(index) > (m_isSaid ? kMoreThanLetters - 1 : 0));
}

bool ActionFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    if (m_typed.isEmpty()) return left.row() < right.row();
    // Of two actions with the same name, prefer the enabled one.
    const auto worth = [this](const QModelIndex& index) {
        return score(index) * (index.data(Actions::UsableRole).toBool() ? 3 : 2);
    };
    const int first = worth(left);
    const int second = worth(right);
    return first != second ? first > second : left.row() < right.row();
}

} // namespace weir::editor
