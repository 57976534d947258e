#include "weir/atomic_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weir/text.hpp"

namespace weir {

namespace {

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

std::string problem(const std::filesystem::path& path, int error) {
    return concat({"cannot write ", path.string(), ": ", std::strerror(error)});
}

}  // namespace

std::string write_atomically(const std::filesystem::path& path, std::span<const std::string_view> parts) {
    const std::string temporary = path.string() + ".tmp-" + std::to_string(::getpid());
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return problem(path, errno);

    const auto written = [fd](std::string_view part) { return write_all(fd, part); };
    bool ok = std::ranges::all_of(parts, written) && ::fsync(fd) == 0;
    int error = errno;
    // close() may be the first to report a full disk (NFS, quotas).
    if (::close(fd) != 0 && ok) {
        ok = false;
        error = errno;
    }
    if (ok && ::rename(temporary.c_str(), path.c_str()) != 0) {
        ok = false;
        error = errno;
    }
    if (!ok) {
        ::unlink(temporary.c_str());
        return problem(path, error);
    }

    // The rename itself survives a power cut only once its directory is synced; not every file system can.
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    if (const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); directory >= 0) {
        ::fsync(directory);
        ::close(directory);
    }
    return "";
}

}  // namespace weir
