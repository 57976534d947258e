#include "crashes.hpp"

#include <array>
#include <csignal>
#include <string_view>

#include <unistd.h>

#include "session.hpp"

namespace weir::companion {

namespace {

/// Print the block of this thread. Async-signal-safe: no allocation, no lock, one write.
void report_block(int number) {
    const pid_t thread = ::gettid();
    for (const auto& row : session().rows) {
        if (row->thread_id.load(std::memory_order_relaxed) != thread) continue;
        std::array<char, 256> line;
        std::size_t length = 0;
        for (const std::string_view part : {std::string_view("weir: crashed in block "), std::string_view(row->name)})
            length += part.copy(line.data() + length, line.size() - 1 - length);
        line[length++] = '\n';
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), length);
    }
    ::raise(number);  // the default action, which is restored, ends the process once this returns
}

}  // namespace

void name_crashes() {
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
        struct sigaction action{};
        if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
        action.sa_handler = report_block;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        ::sigemptyset(&action.sa_mask);
        ::sigaction(number, &action, nullptr);
    }
}

}  // namespace weir::companion
