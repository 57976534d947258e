#include "weir/kept_off.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include <unistd.h>

namespace weir {
namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

ThreadReading thread_reading(std::string_view stat, std::string_view schedstat) {
    ThreadReading reading;
    // `7 (a name (with anything)) R 1 ...`
    const std::size_t name_end = stat.rfind(')');
    reading.ready = name_end != std::string_view::npos && name_end + 2 < stat.size() && stat[name_end + 2] == 'R';
    std::int64_t ran_ns = 0;
    const auto [_, error] = std::from_chars(schedstat.data(), schedstat.data() + schedstat.size(), ran_ns);
    if (error == std::errc{} && ran_ns != 0) reading.ran_ns = ran_ns;  // zero: this kernel does not count
    return reading;
}

std::map<int, ThreadReading> read_threads() {
    std::map<int, ThreadReading> readings;
    const std::string own = std::to_string(::gettid());
    std::error_code error;
    for (std::filesystem::directory_iterator thread("/proc/self/task", error), end; !error && thread != end;
         thread.increment(error)) {
        const std::filesystem::path& folder = thread->path();
        if (folder.filename() == own) continue;
        readings[std::stoi(folder.filename())] =
            thread_reading(text_of(folder / "stat"), text_of(folder / "schedstat"));
    }
    return readings;
}

bool some_kept_off(const std::map<int, ThreadReading>& before, const std::map<int, ThreadReading>& after) {
    return std::ranges::any_of(before, [&after](const auto& entry) {
        const auto& [tid, then] = entry;
        const auto now = after.find(tid);
        return now != after.end() && then.ready && now->second.ready && then.ran_ns != -1 &&
               then.ran_ns == now->second.ran_ns;
    });
}

}  // namespace weir
