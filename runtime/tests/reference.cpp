#include "reference.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

namespace weir::testing {
namespace {

using Items = std::vector<std::uint32_t>;

/// Items of a stream; of an endless one, only the beginning.
struct Flow {
    Items items;
    bool whole = true;
};

std::uint64_t splitmix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}

std::uint64_t mixed(std::uint64_t index, std::uint64_t bits) { return splitmix(bits ^ splitmix(index)); }

/// Number of firings that each input allows the op.
std::vector<std::uint64_t> allowed_firings(const Op& op, const std::vector<const Flow*>& in) {
    std::vector<std::uint64_t> allowed;
    for (std::size_t port = 0; port < in.size(); ++port) allowed.push_back(in[port]->items.size() / in_rate(op, port));
    return allowed;
}

/// Computes the items of firing `f` at output `port`.
void fire(const Op& op, std::size_t port, std::uint64_t f, const std::vector<const Flow*>& in, Items& out) {
    const auto x = [&](std::uint64_t i) { return in[0]->items[i]; };
    switch (op.kind) {
        case Kind::affine:
        case Kind::toil:
        case Kind::pacer: out.push_back(5 * x(f) + 3); break;
        case Kind::head:
        case Kind::refuse:
        case Kind::fail: out.push_back(x(f)); break;
        case Kind::decimate: {
            std::uint32_t sum = 0;
            for (std::uint32_t i = 0; i < op.n; ++i) sum += (i + 1) * x(f * op.n + i);
            out.push_back(sum);
            break;
        }
        case Kind::interpolate:
            for (std::uint32_t k = 0; k < op.n; ++k) out.push_back(x(f) + 77 * k);
            break;
        case Kind::resample:
            for (std::uint32_t k = 0; k < op.m; ++k) out.push_back(7 * x(f * op.n + k % op.n) + k);
            break;
        case Kind::fir: {
            std::uint32_t sum = 0;
            for (std::uint32_t k = 0; k < op.n && k <= f * op.m; ++k) sum += (2 * k + 1) * x(f * op.m - k);
            out.push_back(sum);
            break;
        }
        case Kind::join: out.push_back(3 * x(f) + in[1]->items[f]); break;
        case Kind::weave:
            for (std::uint64_t i = 0; i < op.n; ++i) out.push_back(x(f * op.n + i));
            for (std::uint64_t i = 0; i < op.m; ++i) out.push_back(in[1]->items[f * op.m + i]);
            break;
        case Kind::split: out.push_back(port == 0 ? x(f) ^ 0x55U : x(f) + 9); break;
        case Kind::source:
        case Kind::drip:
        case Kind::sleeper:
        case Kind::sink: break;
    }
}

Flow source(const Op& op, std::uint64_t salt, std::uint64_t beginning) {
    Flow out{{}, op.n != 0};
    for (std::uint64_t i = 0; i < (out.whole ? op.n : beginning); ++i) {
        out.items.push_back(static_cast<std::uint32_t>(mixed(i, salt)));
    }
    return out;
}

/// Firings of an op with inputs, and whether more could follow if more of the streams were known.
struct Extent {
    std::uint64_t firings;
    bool whole;
};

Extent extent_of(const Op& op, const std::vector<const Flow*>& in) {
    const auto allowed = allowed_firings(op, in);
    const std::uint64_t least = *std::ranges::min_element(allowed);
    const bool bounds_itself = op.kind == Kind::head || (op.kind == Kind::sink && op.n != 0);
    if (bounds_itself && least >= op.n) return {op.n, true};
    bool whole = false;
    for (std::size_t port = 0; port < in.size(); ++port) whole |= in[port]->whole && allowed[port] == least;
    return {least, whole};
}

/// One evaluation with `beginning` items of every endless source. Without a result, that was too few.
class Evaluation {
  public:
    Evaluation(const Graph& graph, std::uint64_t beginning) : graph_(graph), beginning_(beginning) {}

    std::optional<Reference> run() {
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            if (!add(i)) return std::nullopt;
        }
        Reference reference;
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            const Op& op = graph_[i];
            Items seen = op.inputs.empty() ? outputs_[i][0].items : inputs(op)[0]->items;
            if (op.kind == Kind::sink && op.n != 0) seen.resize(std::min<std::size_t>(seen.size(), op.n));
            reference.first_inputs.push_back(std::move(seen));
            reference.tails.push_back(tail_of(i));
        }
        return reference;
    }

  private:
    std::vector<const Flow*> inputs(const Op& op) const {
        std::vector<const Flow*> in;
        for (const Port& from : op.inputs) in.push_back(&outputs_[from.op][from.port]);
        return in;
    }

    bool add(std::size_t i) {
        const Op& op = graph_[i];
        auto& outputs = outputs_.emplace_back();
        if (is_source(op.kind)) {
            outputs.push_back(source(op, i, beginning_));
            extents_.push_back({outputs[0].items.size(), outputs[0].whole});
            return true;
        }
        const auto in = inputs(op);
        const Extent extent = extent_of(op, in);
        extents_.push_back(extent);
        for (std::size_t port = 0; port < outputs_of(op.kind); ++port) {
            Flow& out = outputs.emplace_back();
            out.whole = extent.whole;
            for (std::uint64_t f = 0; f < extent.firings; ++f) fire(op, port, f, in, out.items);
        }
        return op.kind != Kind::sink || extent.whole;
    }

    Reference::Tail tail_of(std::size_t i) const {
        const Op& op = graph_[i];
        Reference::Tail tail;
        if (op.inputs.empty()) return tail;
        const auto in = inputs(op);
        const auto allowed = allowed_firings(op, in);
        std::uint64_t ends_here = 0, only = 0;
        for (std::size_t port = 0; port < in.size(); ++port) {
            // Beyond the evaluated beginning, yet it may still end: a head behind an endless source.
            if (!in[port]->whole) return {0, std::numeric_limits<std::uint64_t>::max()};
            if (allowed[port] != extents_[i].firings) continue;
            ++ends_here;
            only = in[port]->items.size() % in_rate(op, port);
            tail.most += only;
        }
        if (ends_here == 1 && stays_to_the_end(i)) tail.least = only;
        return tail;
    }

    /// Return whether no other op ends this one before its inputs have ended: it has no reader, or one that itself
    /// waits for this op's end.
    bool stays_to_the_end(std::size_t i) const {
        bool has_reader = false;
        for (std::size_t j = i + 1; j < graph_.size(); ++j) {
            for (std::size_t port = 0; port < graph_[j].inputs.size(); ++port) {
                if (graph_[j].inputs[port].op != i) continue;
                has_reader = true;
                if (waits_for_the_end_of(j, port)) return true;
            }
        }
        return !has_reader;
    }

    bool waits_for_the_end_of(std::size_t reader, std::size_t port) const {
        const Op& op = graph_[reader];
        const auto in = inputs(op);
        const auto allowed = allowed_firings(op, in);
        if ((op.kind == Kind::head || op.kind == Kind::sink) && op.n != 0 && allowed[0] >= op.n) return false;
        if (op.kind == Kind::head && op.n == 0) return false;
        for (std::size_t other = 0; other < in.size(); ++other) {
            if (other != port && allowed[other] <= allowed[port]) return false;  // the other input may end the op
        }
        return stays_to_the_end(reader);
    }

    const Graph& graph_;
    std::uint64_t beginning_;
    std::vector<std::vector<Flow>> outputs_;
    std::vector<Extent> extents_;
};

}  // namespace

Reference evaluate(const Graph& graph) {
    constexpr std::uint64_t kFirst = 512, kLast = std::uint64_t{1} << 22U;
    for (std::uint64_t beginning = kFirst; beginning <= kLast; beginning *= 4) {
        if (auto reference = Evaluation(graph, beginning).run()) return *std::move(reference);
    }
    throw std::logic_error("the graph never ends:\n" + text_of(graph));
}

std::uint64_t reference_digest(const std::vector<std::uint32_t>& items) {
    std::uint64_t sum = 0, index = 0;
    for (const std::uint32_t item : items) sum += mixed(index++, item);
    return sum;
}

}  // namespace weir::testing
