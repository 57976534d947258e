#include "features/mapping/lane_wires.h"
#include "core/text/texts.h"

#include <map>

namespace weir::editor {
namespace {

/// Return the path of a stream: between rows from edge to edge; within a row straight to the next bar, or below the
/// bars in between.
QPainterPath pathBetween(const QRectF& from, const QRectF& to) {
    QPainterPath path;
    if (from.center().y() != to.center().y()) {
        const bool down = to.center().y() > from.center().y();
        const QPointF start(from.center().x(), down ? from.bottom() : from.top());
        const QPointF end(to.center().x(), down ? to.top() : to.bottom());
        const qreal arm = std::max(12.0, std::abs(end.y() - start.y()) / 2);
        path.moveTo(start);
        path.cubicTo(start + QPointF(0, down ? arm : -arm), end - QPointF(0, down ? arm : -arm), end);
    } else if (to.left() >= from.right() && to.left() - from.right() < lanes::kLeastBar) {
        path.moveTo(from.right(), from.center().y());
        path.lineTo(to.left(), to.center().y());
    } else {
        const QPointF start(from.center().x(), from.bottom());
        const QPointF end(to.center().x(), to.bottom());
        path.moveTo(start);
        path.cubicTo(start + QPointF(0, 12), end + QPointF(0, 12), end);
    }
    return path;
}

QString textOf(const PlannedStream& stream, const PlanView& plan, const QString& source, const QString& reader) {
    const PlannedInstance* from = plan.instance(source);
    const PlannedInstance* to = plan.instance(reader.section(u'.', 0, 0));
    const QString text = stream.leastItems > 0 ? MappingText::tr(
                                                     "%1 → %2\nring buffer of %7 items, and up to %3 while the stream "
                                                     "is fast, %4 · chunks of %5 → %6 items")
                         : stream.kind == QLatin1String("ring")
                             ? MappingText::tr("%1 → %2\nring buffer of %3 items, %4 · chunks of %5 → %6 items")
                             : MappingText::tr("%1 → %2\nlinear buffer of %3 items, %4 · chunks of %5 → %6 items");
    const QString said = text.arg(stream.from, reader)
                             .arg(stream.items)
                             .arg(binarySize(stream.bytes))
                             .arg(from ? from->chunkItems : 0)
                             .arg(to ? to->chunkItems : 0);
    if (!stream.arena.isEmpty())
        return said + u'\n' + MappingText::tr("from byte %1 of the arena of %2").arg(stream.offset).arg(stream.arena);
    return stream.leastItems > 0 ? said.arg(stream.leastItems) : said;
}

/// Return the NUMA node of a worker pinned to one CPU, else -1.
int nodeOf(const QString& worker, const PlanView& plan, const Machine& machine) {
    const PlannedWorker* found = plan.worker(worker);
    const MachineCpu* cpu = found && found->cpus.size() == 1 ? machine.cpu(found->cpus.front()) : nullptr;
    return cpu ? cpu->node : -1;
}

} // namespace

std::vector<LaneWire> laneWires(const std::vector<LaneBar>& bars, const PlanView& plan, const Machine& machine) {
    QHash<QString, std::size_t> barOf;
    for (std::size_t index = 0; index < bars.size(); ++index)
        if (!bars[index].ghost)
            for (const QString& instance : bars[index].instances)
                if (!barOf.contains(instance)) // a schedule may call it several times
                    barOf.insert(instance, index);
    std::map<std::pair<std::size_t, std::size_t>, LaneWire> wires;
    for (const PlannedStream& stream : plan.streams) {
        const QString source = stream.from.section(u'.', 0, 0);
        const auto from = barOf.constFind(source);
        for (const QString& reader : stream.readers) {
            const auto to = barOf.constFind(reader.section(u'.', 0, 0));
            if (from == barOf.constEnd() || to == barOf.constEnd() || *from == *to) continue;
            LaneWire& wire = wires[{*from, *to}];
            if (wire.streams++ > 0) continue;
            const LaneBar& a = bars[*from];
            const LaneBar& b = bars[*to];
            wire.path = pathBetween(a.rect, b.rect);
            wire.crosses = a.worker != b.worker;
            const int nodes[] = {nodeOf(a.worker, plan, machine), nodeOf(b.worker, plan, machine)};
            wire.crossesNode = nodes[0] >= 0 && nodes[1] >= 0 && nodes[0] != nodes[1];
            wire.text = textOf(stream, plan, source, reader);
            if (wire.crossesNode)
                wire.text += u'\n' + MappingText::tr("from NUMA node %1 to node %2").arg(nodes[0]).arg(nodes[1]);
        }
    }
    std::vector<LaneWire> found;
    for (auto& [ends, wire] : wires) {
        if (wire.streams > 1)
            wire.text = MappingText::tr("%n stream(s), such as", nullptr, wire.streams) + u'\n' + wire.text;
        found.push_back(std::move(wire));
    }
    return found;
}

} // namespace weir::editor
