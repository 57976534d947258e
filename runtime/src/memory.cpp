#include "weir/memory.hpp"

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <utility>

#ifndef WEIR_UNMIRRORED
#define WEIR_UNMIRRORED 0
#endif

namespace weir {
namespace {

constexpr bool kMirroringCompiledIn =
#if defined(__SANITIZE_THREAD__)
    false;
#else
    WEIR_UNMIRRORED == 0;
#endif

std::string error_text() { return std::strerror(errno); }

/// Highest online NUMA node, from text such as `0-1` or `0,2`.
unsigned long last_online_node() {
    std::string online;
    std::getline(std::ifstream("/sys/devices/system/node/online"), online);
    const std::size_t at = online.find_last_of("-,");
    const char* first = online.data() + (at == std::string::npos ? 0 : at + 1);
    unsigned long node = 0;
    std::from_chars(first, online.data() + online.size(), node);
    return node;
}

}  // namespace

std::size_t page_size() noexcept {
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

bool mirroring_enabled() noexcept {
    if (!kMirroringCompiledIn) return false;
    const char* off = std::getenv("WEIR_UNMIRRORED");
    return off == nullptr || *off == '\0' || *off == '0';
}

Buffer::Buffer(Buffer&& other) noexcept
    : map_(std::exchange(other.map_, nullptr)), mapped_(std::exchange(other.mapped_, 0)),
      offset_(std::exchange(other.offset_, 0)), mirrored_(std::exchange(other.mirrored_, false)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    std::swap(map_, other.map_);
    std::swap(mapped_, other.mapped_);
    std::swap(offset_, other.offset_);
    std::swap(mirrored_, other.mirrored_);
    return *this;
}

Buffer::~Buffer() {
    if (map_ != nullptr) ::munmap(map_, mapped_);
}

Buffer Buffer::plain(std::size_t bytes, std::size_t offset) {
    const std::size_t mapped = round_up(offset + bytes, page_size());
    void* map = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) throw std::bad_alloc{};
    return {static_cast<std::byte*>(map), mapped, offset, false};
}

Buffer Buffer::mirrored(std::size_t bytes) noexcept {
    if (!mirroring_enabled()) return {};
    const int file = ::memfd_create("weir-stream", MFD_CLOEXEC);
    if (file < 0) return {};
    // Reserve both halves first, because the fixed mappings would overwrite any memory at their address.
    void* reserved = MAP_FAILED;
    if (::ftruncate(file, static_cast<off_t>(bytes)) == 0) {
        reserved = ::mmap(nullptr, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    Buffer buffer;
    if (reserved != MAP_FAILED) {
        buffer = Buffer{static_cast<std::byte*>(reserved), 2 * bytes, 0, true};
        for (std::byte* half : {buffer.map_, buffer.map_ + bytes}) {
            if (::mmap(half, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
                buffer = Buffer{};
                break;
            }
        }
    }
    ::close(file);
    return buffer;
}

void Buffer::prefault() const noexcept {
    // Volatile, because a compiler may drop stores to memory that nothing appears to read.
    for (std::size_t at = 0; at < mapped_; at += page_size())
        *static_cast<volatile std::byte*>(map_ + at) = std::byte{0};
}

std::string Buffer::advise_huge_pages() const {
    return ::madvise(map_, mapped_, MADV_HUGEPAGE) == 0 ? std::string{} : error_text();
}

std::string lock_all_memory() { return ::mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? std::string{} : error_text(); }

std::string set_numa_policy(std::string_view policy) {
    if (policy.empty()) return {};
    int mode = MPOL_BIND;
    unsigned long nodes = 0;
    constexpr unsigned long kMaskBits = 8 * sizeof nodes;
    if (policy == "local") {
        mode = MPOL_LOCAL;
    } else if (policy == "interleave") {
        mode = MPOL_INTERLEAVE;
        const unsigned long last = last_online_node();
        nodes = last + 1 >= kMaskBits ? ~0UL : (1UL << (last + 1)) - 1;
    } else {
        unsigned long node = 0;
        const auto [end, error] = std::from_chars(policy.data(), policy.data() + policy.size(), node);
        if (end != policy.data() + policy.size() || error != std::errc{} || node >= kMaskBits) {
            return "no NUMA node '" + std::string(policy) + "'";
        }
        nodes = 1UL << node;
    }
    // Linux reads one bit less than the given number.
    const long rc = ::syscall(SYS_set_mempolicy, mode, nodes == 0 ? nullptr : &nodes, nodes == 0 ? 0 : kMaskBits + 1);
    return rc == 0 ? std::string{} : error_text();
}

std::string numa_policy() {
    constexpr unsigned long kBits = 8 * sizeof(unsigned long);
    unsigned long nodes[16] = {};  // 1024 nodes, the largest number that a kernel supports
    int mode = 0;
    if (::syscall(SYS_get_mempolicy, &mode, nodes, kBits * std::size(nodes), nullptr, 0) != 0) return {};
    constexpr int kModeFlags = MPOL_F_STATIC_NODES | MPOL_F_RELATIVE_NODES;
    std::string text;
    switch (mode & ~kModeFlags) {
        case MPOL_DEFAULT: return "default";
        case MPOL_LOCAL: return "local";
        case MPOL_PREFERRED: text = "preferred"; break;
        case MPOL_BIND: text = "bind"; break;
        case MPOL_INTERLEAVE: text = "interleave"; break;
        default: return "mode " + std::to_string(mode);
    }
    char separator = ' ';
    for (unsigned long node = 0; node < kBits * std::size(nodes); ++node) {
        if ((nodes[node / kBits] >> (node % kBits) & 1UL) == 0) continue;
        text += separator + std::to_string(node);
        separator = ',';
    }
    return text;
}

}  // namespace weir
