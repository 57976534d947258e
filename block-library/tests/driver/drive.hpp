// Runs one block without a runtime. It offers items and space cut at random places, as a scheduler might, and checks
// that the block keeps the rules of `block.hpp`.
#pragma once

#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "cut.hpp"
#include "request.hpp"

namespace weir::test {

/// Violation of the rules of `block.hpp`.
struct Misconduct : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class T> struct InStream {
    using Port = In<T>;
    static constexpr bool kInput = true;
    std::vector<T> items;
    std::size_t rate = 1;
    std::size_t position = 0;

    std::size_t left() const { return items.size() - position; }
};

template <class T> struct OutStream {
    using Port = Out<T>;
    static constexpr bool kInput = false;
    std::optional<Chunk<T>> space;  // whole stream, unwritten behind the block's last item
    std::size_t rate = 1;
    std::size_t position = 0;
};

template <class Port> struct StreamOf;
template <class T> struct StreamOf<In<T>&> {
    using type = InStream<T>;
};
template <class T> struct StreamOf<Out<T>&> {
    using type = OutStream<T>;
};
template <class S> inline constexpr bool kIsInput = std::remove_reference_t<S>::kInput;

/// `Ports`: types of the parameters of the block's `work`. Blocks with the same ports share this code.
template <class... Ports> class Drive {
  public:
    using Work = WorkResult (*)(void* block, Ports...);

    Drive(void* block, Work work, const Request& request)
        : block_(block), work_(work), cutter_(request.cut_seed, request.max_chunk) {
        wanted_ = request.items;
        in_place_ = request.in_place;
        equal_offers_ = request.equal_offers;
        std::size_t input = 0, output = 0;
        each([&](auto& stream) {
            if constexpr (kIsInput<decltype(stream)>) {
                using T = typename std::remove_reference_t<decltype(stream)>::Port::value_type;
                stream.items = read_items<T>(request.inputs.at(input));
                stream.rate = request.in_rates.at(input++);
            } else {
                stream.rate = request.out_rates.at(output++);
            }
        });
        each([&](auto& stream) {
            if constexpr (!kIsInput<decltype(stream)>) stream.space.emplace(capacity(stream.rate), cutter_.shift());
        });
    }

    /// Call `work` until the block or its inputs end, or a source has made the requested items.
    Answer run() {
        Answer answer;
        std::size_t idle = 0;
        while (answer.outcome.empty()) {
            if (exhausted()) {
                answer.outcome = "exhausted";
            } else if (satisfied()) {
                answer.outcome = "satisfied";
            } else {
                ++answer.calls;
                bool moved = false;
                answer.outcome = call(std::index_sequence_for<Ports...>{}, moved);
                idle = moved ? 0 : idle + 1;
                if (idle > 10'000) throw Misconduct("10,000 calls without an item");
            }
        }
        each([&](auto& stream) {
            if constexpr (kIsInput<decltype(stream)>) answer.consumed.push_back(stream.position);
            else answer.produced.push_back(stream.position);
        });
        return answer;
    }

    void save(const std::vector<std::string>& paths) {
        std::size_t output = 0;
        each([&](auto& stream) {
            if constexpr (!kIsInput<decltype(stream)>)
                write_bytes(paths.at(output++), std::as_bytes(stream.space->span().first(stream.position)));
        });
    }

  private:
    static constexpr bool kSource = ((!StreamOf<Ports>::type::kInput) && ...);

    template <class F> void each(F f) {
        std::apply([&](auto&... stream) { (f(stream), ...); }, streams_);
    }

    /// Return whether an input has less than a firing left, in which case a node ends the block.
    bool exhausted() {
        bool any = false;
        each([&](auto& stream) {
            if constexpr (kIsInput<decltype(stream)>) any = any || stream.left() < stream.rate;
        });
        return any;
    }

    bool satisfied() {
        bool all = kSource;
        each([&](auto& stream) {
            if constexpr (!kIsInput<decltype(stream)>) all = all && stream.position >= wanted_;
        });
        return all;
    }

    /// Return the number of items that an output with this rate can have in the whole run.
    std::size_t capacity(std::size_t rate) {
        std::size_t items = kSource ? wanted_ : 0;
        each([&](auto& stream) {
            if constexpr (kIsInput<decltype(stream)>)
                items = std::max(items, (stream.items.size() / stream.rate + 1) * rate);
        });
        return items;
    }

    /// Prepare the offer of one port: items copied to separate memory, or the next part of an output's space.
    template <class S> auto offer(S& stream) {
        if constexpr (S::kInput) {
            Chunk<typename S::Port::value_type> chunk(offered(stream.left(), stream.rate), cutter_.shift());
            std::copy_n(stream.items.data() + stream.position, chunk.size(), chunk.data());
            return chunk;
        } else {
            const auto left = stream.space->span().subspan(stream.position);
            return left.first(offered(left.size(), stream.rate));
        }
    }

    std::size_t offered(std::size_t available, std::size_t rate) {
        return equal_offers_ ? firings_ * rate : cutter_.offer(available, rate);
    }

    /// Return the number of firings for which every port has items or space.
    std::size_t firings_everywhere() {
        std::size_t least = ~std::size_t{0};
        each([&](auto& stream) {
            std::size_t items;
            if constexpr (kIsInput<decltype(stream)>) items = stream.left();
            else items = stream.space->size() - stream.position;
            least = std::min(least, items / stream.rate);
        });
        return least;
    }

    template <class S> typename S::Port port(S& stream, auto& first, auto& offered) {
        if constexpr (S::kInput) {
            return {offered.span(), offered.size() == stream.left()};
        } else {
            using Space = std::span<typename S::Port::value_type>;
            if constexpr (requires { Space{first.span()}; })
                if (in_place_) return typename S::Port(first.span());
            return typename S::Port(offered);
        }
    }

    template <std::size_t... Is> std::string call(std::index_sequence<Is...>, bool& moved) {
        if (equal_offers_) firings_ = cutter_.firings(firings_everywhere());
        auto offers = std::tuple{offer(std::get<Is>(streams_))...};
        std::tuple<std::remove_reference_t<Ports>...> ports{
            port(std::get<Is>(streams_), std::get<0>(offers), std::get<Is>(offers))...};
        const WorkResult result = work_(block_, std::get<Is>(ports)...);
        moved = false;
        (commit(std::get<Is>(streams_), std::get<Is>(ports), moved), ...);
        check_firings();
        const bool whole = ((std::get<Is>(ports).size() == moved_of(std::get<Is>(ports))) && ...);
        if (equal_offers_ && !whole && result.status != WorkStatus::done && result.status != WorkStatus::error)
            throw Misconduct("left firings that it had items and space for");
        return outcome(result, moved, short_of<true>(ports), short_of<false>(ports));
    }

    template <class S> void commit(S& stream, typename S::Port& port, bool& moved) {
        std::size_t items;
        if constexpr (S::kInput) {
            items = port.consumed();
        } else {
            items = port.produced();
            const auto space = stream.space->span().subspan(stream.position);
            if (items <= port.size() && in_place_) std::copy_n(port.data(), items, space.data());
        }
        if (items > port.size()) throw Misconduct("moved more than was offered");
        stream.position += items;
        moved = moved || items > 0;
        if constexpr (!S::kInput)
            if (!stream.space->intact(stream.position)) throw Misconduct("wrote beyond what it produced");
    }

    template <class T> static std::size_t moved_of(const In<T>& port) { return port.consumed(); }
    template <class T> static std::size_t moved_of(const Out<T>& port) { return port.produced(); }

    /// Check that every port has moved whole firings, and all ports the same number.
    void check_firings() {
        std::size_t firings = 0;
        bool first = true;
        each([&](auto& stream) {
            if (stream.position % stream.rate != 0) throw Misconduct("stopped within a firing");
            if (!first && stream.position / stream.rate != firings) throw Misconduct("fired unequally on its ports");
            firings = stream.position / stream.rate;
            first = false;
        });
    }

    /// Return whether an input (or an output) was offered less than a firing.
    template <bool kInputs, class P> bool short_of(P& ports) {
        return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
            return ((std::tuple_element_t<Is, Streams>::kInput == kInputs &&
                     std::get<Is>(ports).size() < std::get<Is>(streams_).rate) ||
                    ...);
        }(std::index_sequence_for<Ports...>{});
    }

    std::string outcome(const WorkResult& result, bool moved, bool short_input, bool short_output) {
        switch (result.status) {
            case WorkStatus::ok:
                if (!moved) throw Misconduct("said ok without moving an item");
                return "";
            case WorkStatus::need_input:
                if (moved || !short_input) throw Misconduct("asked for input that it had");
                return "";
            case WorkStatus::need_output:
                if (moved || !short_output) throw Misconduct("asked for space that it had");
                return "";
            case WorkStatus::wait:
                if (moved) throw Misconduct("moved items and asked to wait");
                return "";
            case WorkStatus::done: return "done";
            case WorkStatus::error: return "error";
        }
        throw Misconduct("answered with no known status");
    }

    using Streams = std::tuple<typename StreamOf<Ports>::type...>;

    void* block_;
    Work work_;
    Cutter cutter_;
    Streams streams_;
    std::size_t wanted_ = 0;
    bool in_place_ = false;
    bool equal_offers_ = false;
    std::size_t firings_ = 0;  // firings offered on every port
};

/// Call the block's `element` for each item instead of `work`. The ports are the inputs and one output, all with one
/// item per firing.
template <class B, class... Ports> WorkResult work_by_element(const B& block, Ports&... ports) {
    const std::size_t n = std::min({ports.size()...});
    if (n == 0) return WorkStatus::need_output;
    auto all = std::tie(ports...);
    auto& out = std::get<sizeof...(Ports) - 1>(all);
    [&]<std::size_t... Is>(std::index_sequence<Is...>) {
        static_assert(noexcept(block.element(std::get<Is>(all)[0]...)));
        for (std::size_t i = 0; i < n; ++i) out[i] = block.element(std::get<Is>(all)[i]...);
        (std::get<Is>(all).consume(n), ...);
    }(std::make_index_sequence<sizeof...(Ports) - 1>{});
    out.produce(n);
    return WorkStatus::ok;
}

/// Make the drive of a block. Only a noexcept `work` with parameters In<…>& and Out<…>& matches.
template <class B, class... Ports>
Drive<Ports...> drive(B& block, WorkResult (B::*)(Ports...) noexcept, const Request& request) {
    if (request.by_element) {
        if constexpr (requires { &B::element; })
            return {&block, [](void* b, Ports... ports) { return work_by_element(*static_cast<B*>(b), ports...); },
                    request};
        else throw Misconduct("has no `element`");
    }
    return {&block, [](void* b, Ports... ports) { return static_cast<B*>(b)->work(ports...); }, request};
}

}  // namespace weir::test
