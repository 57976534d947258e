#include "features/palette/block_habits.h"

#include "shell/session/memory.h"

namespace weir::editor {
namespace {

const QString kFavourites = QStringLiteral("palette/favourites");
const QString kRecent = QStringLiteral("palette/recent");
const QString kClosed = QStringLiteral("palette/closed");
constexpr qsizetype kMostRecent = 6;

} // namespace

QStringList BlockHabits::favourites() const { return m_memory.value(kFavourites).toStringList(); }

QStringList BlockHabits::recent() const { return m_memory.value(kRecent).toStringList(); }

QStringList BlockHabits::closedGroups() const { return m_memory.value(kClosed).toStringList(); }

void BlockHabits::toggleFavourite(const QString& type) { toggle(kFavourites, type); }

void BlockHabits::toggleGroup(const QString& group) { toggle(kClosed, group); }

void BlockHabits::toggle(const QString& key, const QString& name) {
    QStringList names = m_memory.value(key).toStringList();
    if (names.removeAll(name) == 0) names.append(name);
    m_memory.setValue(key, names);
    emit changed();
}

void BlockHabits::noteUse(const QString& type) {
    QStringList types = recent();
    types.removeAll(type);
    types.prepend(type);
    // Nobody is told: what is looked at, and dragged from, does not move because of it.
    m_memory.setValue(kRecent, types.mid(0, kMostRecent));
}

} // namespace weir::editor
