#include "core/tuning/tune_moves.h"

#include "core/deployment/instance_patterns.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <map>

namespace weir::editor {
namespace {

using Owners = std::map<QString, int>; ///< instance -> index of its worker

Owners ownersIn(const TunedPlan& plan) {
    Owners found;
    for (std::size_t number = 0; number < plan.workers.size(); ++number)
        for (const QString& instance : plan.workers[number].instances) found[instance] = static_cast<int>(number);
    return found;
}

int shared(const PlannedWorker& a, const PlannedWorker& b) {
    const QSet<QString> of(a.instances.begin(), a.instances.end());
    return static_cast<int>(
        std::count_if(b.instances.begin(), b.instances.end(), [&](const QString& i) { return of.contains(i); }));
}

/// Return index of a worker in `from` -> index of the same worker in `to`.
std::map<int, int> pairedWorkers(const TunedPlan& from, const TunedPlan& to) {
    struct Pair {
        int shared, from, to;
    };
    std::map<int, int> paired;
    std::vector<Pair> others;
    QSet<int> taken;
    for (int before = 0; before < static_cast<int>(from.workers.size()); ++before)
        for (int after = 0; after < static_cast<int>(to.workers.size()); ++after) {
            const PlannedWorker &a = from.workers[static_cast<std::size_t>(before)],
                                &b = to.workers[static_cast<std::size_t>(after)];
            if (a.name == b.name) {
                paired[before] = after;
                taken.insert(after);
            } else if (const int count = shared(a, b)) {
                others.push_back({count, before, after});
            }
        }
    std::stable_sort(others.begin(), others.end(), [](const Pair& a, const Pair& b) { return a.shared > b.shared; });
    for (const Pair& pair : others)
        if (!taken.contains(pair.to) && paired.try_emplace(pair.from, pair.to).second) taken.insert(pair.to);
    return paired;
}

int numberOf(const Owners& owners, const QString& instance) {
    const auto found = owners.find(instance);
    return found == owners.end() ? -1 : found->second;
}

QString nameOf(const TunedPlan& plan, int number) {
    return number < 0 ? QString() : plan.workers[static_cast<std::size_t>(number)].name;
}

struct Way {
    PlannedInstance instance;
    BlockMove move;
};

/// Return the moves of blocks, in the order of the plan that places them.
std::vector<Way> waysOf(const TunedPlan& from, const TunedPlan& to, std::vector<PlannedInstance>* all) {
    const Owners before = ownersIn(from), after = ownersIn(to);
    const std::map<int, int> paired = pairedWorkers(from, to);
    std::vector<Way> ways;
    const TunedPlan& ordered = before.empty() ? to : from;
    for (const PlannedWorker& worker : ordered.workers)
        for (const QString& name : worker.instances) {
            const int was = numberOf(before, name), is = numberOf(after, name);
            all->push_back(instanceNamed(name));
            const auto pair = paired.find(was);
            const bool stays = was >= 0 && is >= 0 ? pair != paired.end() && pair->second == is : was == is;
            if (!stays) ways.push_back({all->back(), {nameOf(from, was), nameOf(to, is), was, is}});
        }
    return ways;
}

} // namespace

PlannedInstance instanceNamed(const QString& name) {
    static const QRegularExpression form(QStringLiteral("^([^\\[@]+)(?:\\[(\\d+)\\])?(?:@p(\\d+))?$"));
    const auto parts = form.match(name);
    PlannedInstance found{.name = name, .block = parts.hasMatch() ? parts.captured(1) : name};
    if (parts.hasCaptured(2)) found.copy = parts.captured(2).toInt();
    if (parts.hasCaptured(3)) found.pipe = parts.captured(3).toInt();
    return found;
}

std::vector<TuneMove> tuneMoves(const TunedPlan& from, const TunedPlan& to) {
    std::vector<PlannedInstance> all;
    const std::vector<Way> ways = waysOf(from, to, &all);
    std::vector<TuneMove> kinds; // one for each pair of workers
    std::map<QString, QString> kindOf;
    for (const Way& way : ways) {
        const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const TuneMove& kind) {
            return kind.from == way.move.from && kind.to == way.move.to;
        });
        kindOf[way.instance.name] = QString::number(same - kinds.begin());
        if (same == kinds.end()) kinds.push_back({{}, {}, way.move.from, way.move.to});
    }
    std::vector<TuneMove> moves;
    for (const auto& [pattern, kind] : patternsFor(all, kindOf)) {
        TuneMove move = kinds[kind.toUInt()];
        move.pattern = pattern;
        move.block = pattern.startsWith(u'*') ? all.front().block : instanceNamed(pattern.section(u'[', 0, 0)).block;
        moves.push_back(move);
    }
    return moves;
}

QHash<QString, BlockMoves> blockMoves(const TunedPlan& from, const TunedPlan& to) {
    std::vector<PlannedInstance> all;
    QHash<QString, BlockMoves> found;
    for (const Way& way : waysOf(from, to, &all)) {
        BlockMoves& moves = found[way.instance.block];
        ++moves.moved;
        if (std::find(moves.ways.begin(), moves.ways.end(), way.move) == moves.ways.end())
            moves.ways.push_back(way.move);
    }
    for (const PlannedInstance& instance : all)
        if (const auto moves = found.find(instance.block); moves != found.end()) ++moves->instances;
    return found;
}

} // namespace weir::editor
