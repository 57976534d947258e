#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app_parts.hpp"
#include "weir/text.hpp"

namespace weir::app {

namespace {

std::atomic<pid_t> current_child{0};
volatile std::sig_atomic_t interrupted = 0;

/// Forward the signal to the running repetition, and start no others.
void forward(int signal) {
    interrupted = 1;
    if (const pid_t child = current_child.load(); child > 0) ::kill(child, signal);
}

void forward_signals() {
    struct sigaction action{};
    action.sa_handler = forward;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGINT, &action, nullptr);
}

pid_t start(const std::vector<std::string>& arguments, bool silent) {
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    if (silent) ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    // Give the child its own process group. Otherwise Ctrl-C in a terminal reaches it twice, and the second one kills.
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t child = 0;
    const int error = ::posix_spawn(&child, "/proc/self/exe", &files, &attributes, argv.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    if (error != 0) throw std::system_error(error, std::generic_category(), "cannot start a repetition");
    return child;
}

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : kExitRun;
}

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

}  // namespace

int repeat(int argc, char** argv, const Options& options) {
    forward_signals();
    std::string json;
    int worst = kExitOk;
    for (std::uint64_t k = 1; k <= options.repeat && interrupted == 0; ++k) {
        const std::filesystem::path out = options.out / std::to_string(k);
        std::vector<std::string> arguments = shared_arguments(argc, argv);
        arguments.insert(arguments.begin(), argv[0]);
        for (const auto& [name, value] : {std::pair<const char*, std::string>{"--out", out.string()},
                                          {"--repetition", std::to_string(options.repetition + k - 1)},
                                          {"--run-id", concat({options.run_id, "-", std::to_string(k)})}}) {
            arguments.emplace_back(name);
            arguments.push_back(value);
        }
        if (!options.json)
            std::printf("repetition %llu of %llu\n", static_cast<unsigned long long>(k),
                        static_cast<unsigned long long>(options.repeat));
        std::fflush(stdout);
        const pid_t child = start(arguments, options.json);
        current_child = child;
        worst = std::max(worst, wait_for(child));
        current_child = 0;
        const std::string result = options.json ? text_of(out / "results.json") : "";
        if (!result.empty()) json += concat({json.empty() ? "" : ",\n", result});
    }
    if (options.json) std::printf("[%s]\n", json.c_str());
    return interrupted != 0 ? kExitRun : worst;
}

}  // namespace weir::app
