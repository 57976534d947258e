// Memory of streams: page-aligned, mirrored for rings, and requested from Linux before the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir {

/// std::hardware_destructive_interference_size changes with compiler flags, so this is a constant.
inline constexpr std::size_t kCacheLine = 64;

/// Returns the least multiple of `to` that is not below n.
constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t to) noexcept { return (n + to - 1) / to * to; }

std::size_t page_size() noexcept;

/// Anonymous memory of one stream. Move-only; empty after a move.
class Buffer {
  public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer();

    /// Allocate `bytes` that begin `offset` bytes after a page boundary. Throws std::bad_alloc.
    static Buffer plain(std::size_t bytes, std::size_t offset);

    /// Allocate `bytes` (a multiple of the page size) mapped twice in a row, so that every span of at most `bytes` is
    /// contiguous. Empty if Linux refuses (no memfd, no address space) or mirroring is disabled.
    static Buffer mirrored(std::size_t bytes) noexcept;

    explicit operator bool() const noexcept { return map_ != nullptr; }
    std::byte* data() const noexcept { return map_ + offset_; }
    bool is_mirrored() const noexcept { return mirrored_; }

    /// Write every page, so that the run takes no page fault in this memory. Call it on the thread whose NUMA policy
    /// places the memory.
    void prefault() const noexcept;

    /// Request transparent huge pages. Returns "" if granted, else Linux's reason.
    std::string advise_huge_pages() const;

  private:
    Buffer(std::byte* map, std::size_t mapped, std::size_t offset, bool mirrored) noexcept
        : map_(map), mapped_(mapped), offset_(offset), mirrored_(mirrored) {}

    std::byte* map_ = nullptr;
    std::size_t mapped_ = 0;  ///< bytes of address space, for both copies if mirrored
    std::size_t offset_ = 0;
    bool mirrored_ = false;
};

/// Return false under ThreadSanitizer, which does not know that two addresses are the same memory. Also false with
/// -DWEIR_UNMIRRORED=1 in the build, or WEIR_UNMIRRORED=1 in the environment.
bool mirroring_enabled() noexcept;

/// Lock all present and future pages. Returns "" if granted, else Linux's reason.
std::string lock_all_memory();

/// Set the policy that places new pages of the calling thread: "" (Linux's default), "local", "interleave" or a node
/// number. Returns "" if granted, else the reason.
std::string set_numa_policy(std::string_view policy);

/// Return the policy that Linux reports: `default`, `local`, or `preferred`, `bind`, `interleave` with the nodes (`bind
/// 0,2`). Empty if it reports none.
std::string numa_policy();

}  // namespace weir
