// Tests the detection of threads without a CPU on invented texts of /proc, and on this process.
#include "weir/kept_off.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>

#include <unistd.h>

namespace {

using namespace weir;

TEST(KeptOff, AThreadIsReadFromTheFilesOfItsFolder) {
    const ThreadReading ready = thread_reading("7 (w0 (a) b) R 1 7 7 0 -1", "123456 789 10\n");
    EXPECT_TRUE(ready.ready);
    EXPECT_EQ(ready.ran_ns, 123456);
    EXPECT_FALSE(thread_reading("7 (R) S 1 7 7", "123456 789 10\n").ready);
    // The thread has ended, or the kernel keeps no counts.
    EXPECT_FALSE(thread_reading("", "").ready);
    EXPECT_EQ(thread_reading("7 (w0) R 1", "").ran_ns, -1);
    EXPECT_EQ(thread_reading("7 (w0) R 1", "0 0 0\n").ran_ns, -1);
}

TEST(KeptOff, OnlyThreadsThatCouldRunAndDidNot) {
    const auto at = [](bool ready, std::int64_t ran_ns) {
        return std::map<int, ThreadReading>{{1, {false, 10}}, {2, {ready, ran_ns}}};
    };
    EXPECT_TRUE(some_kept_off(at(true, 500), at(true, 500)));
    EXPECT_FALSE(some_kept_off(at(true, 500), at(true, 501)));   // it ran
    EXPECT_FALSE(some_kept_off(at(false, 500), at(true, 500)));  // it has just been woken
    EXPECT_FALSE(some_kept_off(at(true, 500), at(false, 500)));  // it sleeps
    EXPECT_FALSE(some_kept_off(at(true, -1), at(true, -1)));     // unknown
    EXPECT_FALSE(some_kept_off(at(true, 500), {}));              // it has ended
}

TEST(KeptOff, AThreadOfThisProcessIsSeenToSleepAndToRun) {
    std::promise<int> tid;
    std::promise<void> go;
    std::atomic<bool> running{false}, stop{false};
    std::thread thread([&] {
        tid.set_value(::gettid());
        go.get_future().wait();
        running = true;
        while (!stop) {
        }
    });
    const int its = tid.get_future().get();
    // It is about to sleep.
    while (read_threads().at(its).ready) std::this_thread::yield();
    EXPECT_FALSE(read_threads().contains(::gettid()));
    go.set_value();
    while (!running) std::this_thread::yield();
    EXPECT_TRUE(read_threads().at(its).ready);
    stop = true;
    thread.join();
}

}  // namespace
