#include "fuzz_shapes.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace weir::testing {
namespace {

/// Output that can still be read: its items per item of a source, and whether it is endless.
struct Open {
    Port port;
    std::uint64_t up = 1, down = 1;
    bool endless = false;
    bool read = false;
};

class Builder {
  public:
    explicit Builder(std::uint64_t seed) : random_(seed) {}

    Shape build() {
        const std::uint64_t sources = random_.one_in(3) ? random_.between(2, 4) : 1;
        for (std::uint64_t i = 0; i < sources; ++i) add_source();
        if (random_.one_in(4)) {
            for (std::uint64_t i = random_.between(1, 10); i > 0; --i) add_random_mapper(open_.size() - 1);
        } else {
            for (std::uint64_t i = random_.below(11); i > 0; --i) add_motif();
        }
        add_sinks();
        if (random_.one_in(8)) copy_into_pipes(random_.between(2, 4));
        return std::move(shape_);
    }

  private:
    // These limits keep one iteration of the balance equations small, and so the buffers of a diamond.
    static constexpr std::uint64_t kMostRate = 24, kLongestIteration = 360, kMostOps = 40;
    static constexpr int kMostPacers = 3;  // they cost time, not CPU

    std::size_t draw_open() { return static_cast<std::size_t>(random_.below(open_.size())); }

    std::uint64_t draw_items() {
        // Mostly few items, because beginnings and ends go wrong; sometimes more than the smallest mirrored ring holds.
        constexpr std::uint64_t kMost[] = {8, 100, 100, 150, 150, 400, 400, 2'500};
        return random_.between(1, kMost[random_.below(8)]);
    }

    /// Number of items that reaches an open output for a few thousand items of a source.
    std::uint64_t draw_items_at(const Open& open) {
        return std::max<std::uint64_t>(draw_items() * open.up / open.down, 1);
    }

    void add_source() {
        const bool endless = random_.one_in(8);
        shape_.graph.push_back({random_.one_in(6) ? Kind::drip : Kind::source, {}, endless ? 0 : draw_items()});
        open_.push_back({{shape_.graph.size() - 1}, 1, 1, endless});
    }

    /// Return the op's first output as an index of `open_`; nothing if its rates would grow too large.
    std::optional<std::size_t> add(Op op, const std::vector<std::size_t>& from) {
        const Open& first = open_[from[0]];
        std::uint64_t up = first.up * out_rate(op), down = first.down * in_rate(op);
        std::uint64_t divisor = std::gcd(up, down);
        up /= divisor;
        down /= divisor;
        const std::uint64_t firing_down = first.down * in_rate(op) / std::gcd(first.up, first.down * in_rate(op));
        const std::uint64_t iteration = std::lcm(iteration_, firing_down);
        if (up > kMostRate * down || up > 64 || iteration > kLongestIteration || shape_.graph.size() >= kMostOps)
            return std::nullopt;
        iteration_ = iteration;
        bool endless = op.kind != Kind::head;
        for (const std::size_t i : from) {
            endless = endless && open_[i].endless;
            open_[i].read = true;
            op.inputs.push_back(open_[i].port);
        }
        const std::size_t result = open_.size();
        for (std::size_t port = 0; port < outputs_of(op.kind); ++port) {
            open_.push_back({{shape_.graph.size(), port}, up, down, endless});
        }
        shape_.graph.push_back(std::move(op));
        return result;
    }

    Op random_mapper() {
        switch (random_.below(10)) {
            case 0: return {Kind::decimate, {}, random_.between(2, 7)};
            case 1: return {Kind::interpolate, {}, random_.between(2, 5)};
            case 2: return {Kind::resample, {}, random_.between(2, 5), random_.between(2, 5)};
            case 3: return {Kind::fir, {}, random_.between(2, 40), 1};
            case 4: return {Kind::fir, {}, random_.between(2, 20), random_.between(2, 4)};
            case 5: return {pacers_++ < kMostPacers ? Kind::pacer : Kind::affine, {}};
            default: return {Kind::affine, {}};
        }
    }

    std::optional<std::size_t> add_random_mapper(std::size_t from) { return add(random_mapper(), {from}); }

    void add_motif() {
        const std::size_t from = draw_open();
        switch (random_.below(9)) {
            case 0: add({Kind::head, {}, draw_items_at(open_[from])}, {from}); break;
            case 1: add({Kind::split, {}}, {from}); break;
            case 2: add_join(from, draw_open()); break;
            case 3: add_diamond(from); break;
            case 4: add_repeated_group(from); break;
            default: add_random_mapper(from); break;
        }
    }

    /// Any two rates can be woven; equal rates can be joined.
    std::optional<std::size_t> add_join(std::size_t a, std::size_t b) {
        const std::uint64_t n = open_[a].up * open_[b].down, m = open_[b].up * open_[a].down, divisor = std::gcd(n, m);
        if (n == m && !random_.one_in(3)) return add({Kind::join, {}}, {a, b});
        if ((n + m) / divisor > 12) return std::nullopt;
        return add({Kind::weave, {}, n / divisor, m / divisor}, {a, b});
    }

    void add_diamond(std::size_t from) {
        std::size_t ends[2] = {from, from};
        if (random_.one_in(4)) {
            if (const auto split = add({Kind::split, {}}, {from})) {
                ends[0] = *split;
                ends[1] = *split + 1;
            }
        }
        for (std::size_t& end : ends) {
            for (std::uint64_t i = random_.below(4); i > 0; --i) end = add_random_mapper(end).value_or(end);
        }
        add_join(ends[0], ends[1]);
    }

    /// Adds the same few ops several times in series, as `repeat` does on a group.
    void add_repeated_group(std::size_t from) {
        std::vector<Op> group;
        for (std::uint64_t i = random_.between(1, 3); i > 0; --i) group.push_back(random_mapper());
        const bool forked = random_.one_in(3);
        std::uint64_t copies = 0;
        for (std::uint64_t wanted = random_.between(2, 5); copies < wanted; ++copies) {
            std::size_t end = from;
            for (const Op& op : group) {
                const auto next = add(op, {end});
                if (!next) return;
                end = *next;
            }
            if (forked) end = add_join(end, from).value_or(end);
            from = end;
        }
        shape_.repeats = std::max(shape_.repeats, copies);
    }

    void add_sinks() {
        const std::size_t inner = open_.size();
        for (std::size_t i = 0; i < inner; ++i) {
            if (open_[i].read && !random_.one_in(5)) continue;
            const bool may_stay_open =
                shape_.graph[open_[i].port.op].kind == Kind::split && open_[i].port.port == 1 && !open_[i].endless;
            if (may_stay_open && random_.one_in(4)) continue;
            std::size_t from = i;
            if (open_[i].endless && random_.one_in(2)) {
                Op head{Kind::head, {open_[i].port}, draw_items_at(open_[i])};
                open_.push_back({{shape_.graph.size()}, open_[i].up, open_[i].down});
                shape_.graph.push_back(std::move(head));
                from = open_.size() - 1;
            }
            const bool leaves = open_[from].endless || random_.one_in(6);
            shape_.graph.push_back({Kind::sink, {open_[from].port}, leaves ? draw_items_at(open_[from]) : 0});
        }
    }

    void copy_into_pipes(std::uint64_t pipes) {
        const Graph one = shape_.graph;
        if (one.size() * pipes > 2 * kMostOps) return;
        for (std::uint64_t p = 1; p < pipes; ++p) {
            const std::size_t offset = shape_.graph.size();
            for (Op op : one) {
                for (Port& from : op.inputs) from.op += offset;
                shape_.graph.push_back(std::move(op));
            }
        }
        shape_.pipes = pipes;
    }

    Random random_;
    Shape shape_;
    std::vector<Open> open_;
    std::uint64_t iteration_ = 1;
    int pacers_ = 0;
};

bool changes_rate(const Op& op) { return op.kind != Kind::weave && in_rate(op) != out_rate(op); }

/// Return whether two paths lead from one op to another.
bool has_diamond(const Graph& graph) {
    for (std::size_t start = 0; start < graph.size(); ++start) {
        std::vector<std::uint64_t> ways(graph.size(), 0);
        ways[start] = 1;
        for (std::size_t i = start + 1; i < graph.size(); ++i) {
            for (const Port& from : graph[i].inputs) ways[i] = std::min<std::uint64_t>(ways[i] + ways[from.op], 2);
            if (ways[i] == 2) return true;
        }
    }
    return false;
}

}  // namespace

std::uint64_t Random::next() noexcept {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}

Shape random_shape(std::uint64_t seed) { return Builder(seed).build(); }

std::size_t edges_of(const Graph& graph) {
    return std::accumulate(graph.begin(), graph.end(), std::size_t{0},
                           [](std::size_t n, const Op& op) { return n + op.inputs.size(); });
}

std::size_t rate_changes_of(const Graph& graph) {
    return static_cast<std::size_t>(std::ranges::count_if(graph, changes_rate));
}

std::vector<std::string> features_of(const Shape& shape) {
    const Graph& graph = shape.graph;
    const auto count = [&](auto&& is) { return std::ranges::count_if(graph, is); };
    const auto kinds = [&](Kind kind) { return count([kind](const Op& op) { return op.kind == kind; }); };
    std::vector<std::vector<std::size_t>> readers;
    for (const Op& op : graph) readers.emplace_back(outputs_of(op.kind), 0);
    for (const Op& op : graph) {
        for (const Port& from : op.inputs) ++readers[from.op][from.port];
    }
    const auto any_output = [&](auto&& is) {
        return std::ranges::any_of(readers, [&](const auto& r) { return std::ranges::any_of(r, is); });
    };
    const bool forks = any_output([](std::size_t n) { return n > 1; });
    const bool joins = kinds(Kind::join) + kinds(Kind::weave) > 0;
    std::vector<std::uint64_t> heads;
    for (const Op& op : graph) {
        if (op.kind == Kind::head) heads.push_back(op.n);
    }
    std::ranges::sort(heads);
    const auto sources = count([](const Op& op) { return is_source(op.kind); });

    std::vector<std::string> found;
    const auto note = [&](bool is, const char* name) {
        if (is) found.emplace_back(name);
    };
    note(!forks && !joins && kinds(Kind::split) == 0 && sources == 1, "chain");
    note(forks, "fork (readers of one output)");
    note(kinds(Kind::split) > 0, "fork (two outputs)");
    note(kinds(Kind::join) > 0, "join of equal rates");
    note(kinds(Kind::weave) > 0, "join of any rates");
    note(has_diamond(graph), "diamond");
    note(count([](const Op& op) { return changes_rate(op) && in_rate(op) > out_rate(op); }) > 0, "rate down");
    note(count([](const Op& op) { return changes_rate(op) && in_rate(op) < out_rate(op); }) > 0, "rate up");
    note(kinds(Kind::fir) > 0, "history (FIR)");
    note(shape.repeats > 1, "repeated group");
    note(shape.pipes > 1, "pipes");
    note(sources > 1, "several sources");
    note(kinds(Kind::sink) > 1, "several sinks");
    note(!heads.empty(), "head");
    note(heads.size() > 1 && heads.front() != heads.back(), "heads of different lengths");
    note(count([](const Op& op) { return is_source(op.kind) && op.n == 0; }) > 0, "source without end");
    note(kinds(Kind::drip) > 0, "waiting source");
    note(kinds(Kind::pacer) > 0, "waiting block");
    note(count([](const Op& op) { return op.kind == Kind::sink && op.n != 0; }) > 0, "sink that leaves early");
    note(any_output([](std::size_t n) { return n == 0; }), "open output");
    return found;
}

}  // namespace weir::testing
