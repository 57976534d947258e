// Task that does nothing. Tests name it and wake it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/task.hpp"

namespace weir::testing {

class IdleTask : public Task {
  public:
    explicit IdleTask(const char* name = "idle") : Task({.name = name}) {}
    StepResult turn(int, Leave) noexcept override { return {.status = StepStatus::done, .moved = true}; }
    void start(const BlockContext&) override {}
    void begin(std::int64_t) noexcept override {}
    void stop() override {}
    std::string error() const override { return {}; }
    std::optional<std::uint64_t> total_items() const override { return std::nullopt; }
    std::optional<std::uint64_t> digest() const override { return std::nullopt; }
    void verify() noexcept override {}
    bool tap(std::string_view, std::vector<std::byte>&) override { return false; }
};

}  // namespace weir::testing
