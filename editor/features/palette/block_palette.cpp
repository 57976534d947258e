#include "features/palette/block_palette.h"

#include "core/catalog/block_search.h"
#include "shell/session/memory.h"
#include "shell/session/session.h"

namespace weir::editor {
namespace {

const QString kFavourites = QStringLiteral("palette/favourites");
const QString kRecent = QStringLiteral("palette/recent");
const QString kClosed = QStringLiteral("palette/closed");
const QString kGnuradio = QStringLiteral("gnuradio:");
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
    // Emit no signal: the list must not move below the pointer that drags from it.
    m_memory.setValue(kRecent, types.mid(0, kMostRecent));
}

BlockPalette::BlockPalette(Session& session) : QObject(&session), m_session(session), m_habits(*session.memory()) {
    connect(&session, &Session::newBlocksChanged, this, &BlockPalette::update);
    connect(&session, &Session::documentReplaced, this,
            [this] { setFilter({}); }); // the filter was typed for another project
    connect(&m_habits, &BlockHabits::changed, this, &BlockPalette::update);
    session.actions().add({.id = QStringLiteral("edit.find_block_type"),
                           .group = ActionGroup::Edit,
                           .title = tr("Search the palette"),
                           .shortcuts = {QStringLiteral("Ctrl+Shift+F")}});
}

void BlockPalette::setFilter(const QString& filter) {
    if (m_filter == filter) return;
    m_filter = filter;
    update();
    emit filterChanged();
}

void BlockPalette::update() {
    const Types all = m_session.newBlocks();
    std::vector<BlockEntry> rows;
    if (!m_filter.trimmed().isEmpty()) {
        const QStringList favourites = m_habits.favourites();
        for (const auto& [type, because] : findBlocks(m_filter, all))
            rows.push_back(BlockEntry::of(*type, because, favourites.contains(QString::fromStdString(type->id))));
        m_model.setRows(std::move(rows));
        return;
    }
    // No family has such a name.
    addGroup(rows, QStringLiteral("*favourites"), tr("Favourites"), named(m_habits.favourites()));
    addGroup(rows, QStringLiteral("*recent"), tr("Recent"), named(m_habits.recent()));
    for (auto first = all.begin(); first != all.end();) {
        const auto last =
            std::find_if(first, all.end(), [&](const BlockType* type) { return type->family != (*first)->family; });
        const QString family = QString::fromStdString((*first)->family);
        const QString group = m_session.isHosted() ? kGnuradio + family : family;
        addGroup(rows, group, family.isEmpty() ? tr("Other") : family.left(1).toUpper() + family.mid(1),
                 Types(first, last));
        first = last;
    }
    m_model.setRows(std::move(rows));
}

void BlockPalette::addGroup(std::vector<BlockEntry>& rows, const QString& group, const QString& title,
                            const Types& types) const {
    if (types.empty()) return;
    // GNU Radio has too many blocks to list all: its groups are closed until the user opens them.
    const bool open = m_habits.closedGroups().contains(group) == group.startsWith(kGnuradio);
    rows.push_back(BlockEntry::heading(group, title, static_cast<int>(types.size()), open));
    const QStringList favourites = m_habits.favourites();
    for (const BlockType* type : open ? types : Types())
        rows.push_back(BlockEntry::of(*type, {}, favourites.contains(QString::fromStdString(type->id))));
}

/// Return the types that the project can have. The others come from folders that are not loaded now, or are not GNU
/// Radio's.
BlockPalette::Types BlockPalette::named(const QStringList& names) const {
    Types types;
    for (const QString& name : names)
        if (const BlockType* type = m_session.scene().catalog().anyBlock(name.toStdString());
            type && type->entry.is_object() == m_session.isHosted())
            types.push_back(type);
    return types;
}

} // namespace weir::editor
