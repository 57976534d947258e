#include "weir/crash.hpp"

#include <array>
#include <csignal>
#include <cstddef>
#include <string_view>

#include <unistd.h>

namespace weir {

constinit thread_local const Instance* at_work = nullptr;

namespace {

/// Print the name of the block that crashed. Async-signal-safe: no allocation, no lock, one write. The names of blocks are
/// literals of the program.
void report_block(int number) {
    if (const Instance* task = at_work) {
        std::array<char, 256> line;
        std::size_t length = 0;
        for (const std::string_view part : {std::string_view("weir: crashed in block "), task->spec().name})
            length += part.copy(line.data() + length, line.size() - 1 - length);
        line[length++] = '\n';
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), length);
    }
    ::raise(number);  // the default action, which is restored, ends the process once this returns
}

}  // namespace

void name_crashes() noexcept {
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
        struct sigaction action{};
        if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
        action.sa_handler = report_block;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        ::sigemptyset(&action.sa_mask);
        ::sigaction(number, &action, nullptr);
    }
}

}  // namespace weir
