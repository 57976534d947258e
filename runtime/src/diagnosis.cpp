#include <algorithm>

#include "weir/stream.hpp"
#include "weir/text.hpp"
#include "weir/watchdog.hpp"

namespace weir {

namespace {

std::string_view state_text(StepStatus status) {
    switch (status) {
        case StepStatus::progress: return "running";
        case StepStatus::need_input: return "need_input";
        case StepStatus::need_output: return "need_output";
        case StepStatus::wait: return "wait";
        case StepStatus::done: return "done";
        case StepStatus::error: break;
    }
    return "error";
}

/// Return the readers that hold a full stream back: those with the most unread items, in a circuit among all of its
/// streams.
std::vector<std::string> slowest_readers(const StreamBase& lowest) {
    std::vector<std::string> names;
    std::uint64_t most = 0;
    for (const StreamBase* stream = &lowest; stream != nullptr; stream = stream->over()) {
        for (std::size_t i = 0; i < stream->readers(); ++i) {
            const Instance* reader = stream->reader_task(i);
            if (reader == nullptr || stream->detached(i)) continue;
            const std::uint64_t fill = stream->fill(i);
            if (fill > most) names.clear();
            if (fill >= most) names.emplace_back(reader->spec().name);
            most = std::max(most, fill);
        }
    }
    return names;
}

/// Return the number of unread items on an input of `task`; if it reads the stream more than once, the smallest.
std::uint64_t fill_before(const StreamBase& stream, const Instance& task) {
    std::uint64_t least = stream.capacity();
    for (std::size_t i = 0; i < stream.readers(); ++i) {
        if (stream.reader_task(i) == &task) least = std::min(least, stream.fill(i));
    }
    return least;
}

/// Return the writers of all inputs without a firing. If each input has one, the block needs more, and the writer of
/// the port that it named is returned.
std::vector<std::string> missing_writers(const Instance& task) {
    std::vector<std::string> names;
    const auto add = [&names](const StreamBase& stream) {
        const Instance* writer = stream.writer_task();
        if (writer == nullptr || std::ranges::find(names, writer->spec().name) != names.end()) return;
        names.emplace_back(writer->spec().name);
    };
    // If some inputs lie in an arena, `in_rates` covers more ports than `inputs`, so use the port that the task named.
    const bool all_streams = task.inputs().size() == task.in_edges().size();
    for (std::size_t i = 0; all_streams && i < task.inputs().size(); ++i) {
        const StreamBase& stream = *task.inputs()[i];
        if (!stream.ended() && fill_before(stream, task) < task.in_rates()[i]) add(stream);
    }
    if (names.empty() && task.blocked_port() < task.inputs().size()) add(*task.inputs()[task.blocked_port()]);
    return names;
}

/// Return the instances at the other end of the port that a block waits for under a peer runtime, whose buffers Weir
/// cannot inspect.
std::vector<std::string> at_the_other_end(const Instance& task, std::span<Instance* const> tasks) {
    const bool needs_input = task.state() == StepStatus::need_input;
    const auto own = needs_input ? task.in_edges() : task.out_edges();
    std::vector<std::string> names;
    if (task.blocked_port() >= own.size()) return names;
    for (const Instance* other : tasks) {
        const auto theirs = needs_input ? other->out_edges() : other->in_edges();
        if (std::ranges::find(theirs, own[task.blocked_port()]) != theirs.end()) names.emplace_back(other->spec().name);
    }
    return names;
}

std::vector<std::string> waits_for(const Instance& task, std::span<Instance* const> tasks) {
    const std::size_t port = task.blocked_port();
    if (task.is_hosted()) {
        const bool waits = task.state() == StepStatus::need_input || task.state() == StepStatus::need_output;
        return waits ? at_the_other_end(task, tasks) : std::vector<std::string>();
    }
    if (task.state() == StepStatus::need_input) return missing_writers(task);
    if (task.state() == StepStatus::need_output && port < task.outputs().size()) {
        return slowest_readers(*task.outputs()[port]);
    }
    return {};
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += concat({text.empty() ? "" : ", ", name});
    return text;
}

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

}  // namespace

WatchdogResult diagnose(std::string cause, std::span<Instance* const> tasks, std::span<StreamBase* const> streams) {
    WatchdogResult seen{std::move(cause), {}, {}};
    for (const Instance* task : tasks) {
        seen.blocks.push_back(
            {std::string(task->spec().name), std::string(state_text(task->state())), waits_for(*task, tasks)});
    }
    for (const StreamBase* stream : streams) {
        seen.streams.push_back({std::string(stream->name()), stream->fill(), stream->limit()});
    }
    return seen;
}

std::string diagnosis_text(const WatchdogResult& seen) {
    constexpr std::size_t kNameWidth = 24;
    constexpr std::size_t kStateWidth = 12;
    std::string text = "blocks:\n";
    for (const StuckBlock& block : seen.blocks) {
        text += concat({"  ", padded(block.id, kNameWidth), " ", padded(block.state, kStateWidth)});
        if (!block.waits_for.empty()) text += concat({" waits for ", joined(block.waits_for)});
        while (text.ends_with(' ')) text.pop_back();
        text += "\n";
    }
    text += "streams:\n";
    for (const StuckStream& stream : seen.streams) {
        text += concat({"  ", padded(stream.name, kNameWidth), " ", std::to_string(stream.fill), " of ",
                        std::to_string(stream.capacity), " items\n"});
    }
    return text;
}

}  // namespace weir
