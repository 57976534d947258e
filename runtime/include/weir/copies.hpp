// Parts of a flowgraph that are there several times: `pipes` side by side, `repeat` in series.
#pragma once

#include <cstddef>
#include <deque>

#include "weir/stream.hpp"

namespace weir {

class ParamTable;
class TaskList;

/// Copies of a part, each made in its place with a row of a table, which outlives them.
template <class Part> class Copies {
  public:
    template <class Row, std::size_t N> [[gnu::cold]] explicit Copies(const Row (&rows)[N]) {
        for (const Row& row : rows) parts_.emplace_back(row);
    }

    void tasks(TaskList& list) {
        for (Part& part : parts_) part.tasks(list);
    }
    void parameters(ParamTable& table) {
        for (Part& part : parts_) part.parameters(table);
    }

  protected:
    Copies() = default;
    std::deque<Part> parts_;  // not a vector: a part stays where it was made
};

/// Copies of which each feeds the next one; `feed` goes to the first.
template <class Part> class Series : public Copies<Part> {
  public:
    template <class Row, std::size_t N, class T> [[gnu::cold]] Series(const Row (&rows)[N], Stream<T>& feed) {
        Stream<T>* from = &feed;
        for (const Row& row : rows) from = &this->parts_.emplace_back(row, *from).out();
    }

    /// What the last one gives.
    auto& out() noexcept { return this->parts_.back().out(); }
};

}  // namespace weir
