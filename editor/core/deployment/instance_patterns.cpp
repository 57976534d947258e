#include "core/deployment/instance_patterns.h"

#include <algorithm>
#include <functional>
#include <set>

namespace weir::editor {
namespace {

using Patterns = std::vector<std::pair<QString, QString>>;
using Instances = std::vector<const PlannedInstance*>;

class Writer {
  public:
    explicit Writer(const std::map<QString, QString>& values) : m_values(values) {}

    QString valueOf(const PlannedInstance& instance) const {
        const auto it = m_values.find(instance.name);
        return it == m_values.end() ? QString() : it->second;
    }

    bool areSame(const Instances& instances) const {
        return std::all_of(instances.begin(), instances.end(),
                           [&](const PlannedInstance* i) { return valueOf(*i) == valueOf(*instances.front()); });
    }

    void add(const QString& pattern, const QString& value) {
        if (!value.isEmpty()) patterns.emplace_back(pattern, value);
    }

    /// Adds one pattern for each run of neighbours with the same value. `key`: the copy or pipe of an instance. Returns
    /// false if instances with the same key differ.
    bool addRuns(const Instances& instances, const std::function<int(const PlannedInstance&)>& key,
                 const QString& before, const QString& after) {
        std::map<int, QString> byKey;
        for (const PlannedInstance* instance : instances)
            if (byKey.try_emplace(key(*instance), valueOf(*instance)).first->second != valueOf(*instance)) return false;
        for (auto first = byKey.begin(); first != byKey.end();) {
            auto last = first;
            auto next = std::next(last);
            while (next != byKey.end() && next->first == last->first + 1 && next->second == first->second)
                last = next++;
            const QString span = first == last ? QString::number(first->first)
                                               : QStringLiteral("%1..%2").arg(first->first).arg(last->first);
            add(before + span + after, first->second);
            first = next;
        }
        return true;
    }

    Patterns patterns;

  private:
    const std::map<QString, QString>& m_values;
};

int copyOf(const PlannedInstance& instance) { return instance.copy; }
int pipeOf(const PlannedInstance& instance) { return instance.pipe; }

void addBlock(Writer& writer, const QString& block, const Instances& instances) {
    const bool copies = instances.front()->copy >= 0;
    const bool pipes = instances.front()->pipe >= 0;
    if (writer.areSame(instances)) writer.add(block, writer.valueOf(*instances.front()));
    else if (copies && writer.addRuns(instances, copyOf, block + u'[', QStringLiteral("]"))) return;
    else if (pipes && writer.addRuns(instances, pipeOf, block + QStringLiteral("@p"), {})) return;
    else {
        std::map<int, Instances> byPipe;
        for (const PlannedInstance* instance : instances) byPipe[instance->pipe].push_back(instance);
        for (const auto& [pipe, inPipe] : byPipe) {
            const QString at = QStringLiteral("@p%1").arg(pipe);
            if (writer.areSame(inPipe)) writer.add(block + at, writer.valueOf(*inPipe.front()));
            else writer.addRuns(inPipe, copyOf, block + u'[', QStringLiteral("]") + at);
        }
    }
}

}  // namespace

Patterns patternsFor(const std::vector<PlannedInstance>& instances, const std::map<QString, QString>& values) {
    Writer writer(values);
    Instances all;
    for (const PlannedInstance& instance : instances) all.push_back(&instance);
    if (all.empty()) return {};
    if (writer.areSame(all)) {
        writer.add(QStringLiteral("*"), writer.valueOf(*all.front()));
        return writer.patterns;
    }
    const bool piped = std::all_of(all.begin(), all.end(), [](const PlannedInstance* i) { return i->pipe >= 0; });
    if (piped && writer.addRuns(all, pipeOf, QStringLiteral("*@p"), {})) return writer.patterns;
    std::vector<QString> order;
    std::map<QString, Instances> byBlock;
    for (const PlannedInstance* instance : all) {
        Instances& found = byBlock[instance->block];
        if (found.empty()) order.push_back(instance->block);
        found.push_back(instance);
    }
    for (const QString& block : order) addBlock(writer, block, byBlock[block]);
    return writer.patterns;
}

}  // namespace weir::editor
