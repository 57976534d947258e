#include "weir/wait.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "weir/clock.hpp"

namespace {

using namespace weir;

TEST(EventCount, NotifyAfterPrepareIsNotLost) {
    EventCount events;
    const auto key = events.prepare();
    events.notify(fence_before_waking());
    events.wait(key);  // otherwise it would sleep forever
    SUCCEED();
}

TEST(EventCount, WaitEndsAtItsTime) {
    EventCount events;
    const std::int64_t until = monotonic_ns() + 3'000'000;
    while (monotonic_ns() < until) events.wait(events.prepare(), until);
    EXPECT_LT(monotonic_ns(), until + 2'000'000'000);
    const std::int64_t before = monotonic_ns();
    events.wait(events.prepare(), before - 1);  // in the past: returns at once
    SUCCEED();
}

TEST(EventCount, OneOfManyNotificationsWakes) {
    EventCount events;
    events.notify(fence_before_waking());  // nobody waits
    const auto first = events.prepare();
    for (int i = 0; i < 3; ++i) events.notify(fence_before_waking());
    events.wait(first);
    const auto second = events.prepare();
    EXPECT_EQ(second, first + 1) << "who was woken and has not come to run yet is woken again";
    events.notify(fence_before_waking());
    EXPECT_EQ(events.prepare(), second + 1);
    events.cancel();
    events.notify(fence_before_waking());
    EXPECT_EQ(events.prepare(), second + 1) << "who has left is woken";
    events.cancel();
}

// Several producers, and a consumer that spins, prepares, checks again and parks. A lost wake-up would hang the test.
TEST(Waiting, ParkedConsumerSeesEveryProduct) {
    for (const WaitPolicy policy : {WaitPolicy::park, WaitPolicy::yield, WaitPolicy::spin}) {
        constexpr std::uint64_t kEach = 20'000;
        constexpr int kProducers = 3;
        EventCount events;
        std::atomic<std::uint64_t> products[kProducers]{};
        std::vector<std::thread> producers;
        for (auto& product : products) {
            producers.emplace_back([&events, &product] {
                for (std::uint64_t i = 1; i <= kEach; ++i) {
                    product.store(i, std::memory_order_seq_cst);
                    events.notify(fence_before_waking());
                    if (i % 64 == 0) std::this_thread::yield();
                }
            });
        }
        std::uint64_t seen = 0;
        Waiting waiting(policy, events, nullptr, 0);
        while (seen < kEach * kProducers) {
            std::uint64_t sum = 0;
            for (auto& product : products) sum += product.load(std::memory_order_seq_cst);
            if (sum == seen) {
                waiting.idle(kForever);
            } else {
                waiting.moved();
            }
            seen = sum;
        }
        for (std::thread& producer : producers) producer.join();
    }
    SUCCEED();
}

class CountingLog final : public trace::Log {
  public:
    explicit CountingLog(trace::EventSet wanted) : Log(wanted) {}
    void write(trace::Event event, std::uint32_t id, std::uint64_t, std::int64_t) noexcept override {
        EXPECT_EQ(id, 5U);
        parks += event == trace::Event::park;
        unparks += event == trace::Event::unpark;
    }
    int parks = 0, unparks = 0;
};

TEST(Waiting, ParkIsTracedIfRequested) {
    EventCount events;
    CountingLog log(trace::bit(trace::Event::park) | trace::bit(trace::Event::unpark)), deaf(0);
    Waiting waiting(WaitPolicy::park, events, &log, 5);
    while (log.unparks == 0) waiting.idle(monotonic_ns() + 100'000);
    EXPECT_EQ(log.parks, 1);
    EXPECT_EQ(log.unparks, 1);
    Waiting silent(WaitPolicy::park, events, &deaf, 5);
    for (int i = 0; i < 1'000; ++i) silent.idle(monotonic_ns() + 1'000);
    EXPECT_EQ(deaf.parks, 0);
}

}  // namespace
