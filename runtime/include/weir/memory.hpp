// Memory of streams: page-aligned, mirrored where a ring wants it, and asked of the kernel before the run, not during it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir {

/// std::hardware_destructive_interference_size changes with compiler flags, so it is stated once here.
inline constexpr std::size_t kCacheLine = 64;

std::size_t page_size() noexcept;

/// Anonymous memory of one stream. Move-only; empty after a move.
class Buffer {
  public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer();

    /// `bytes` of plain memory that begin `offset` bytes behind a page boundary. Throws std::bad_alloc.
    static Buffer plain(std::size_t bytes, std::size_t offset);

    /// `bytes` (a multiple of the page size) mapped twice, one copy behind the other, so that every span of at most `bytes`
    /// is contiguous. Empty where the kernel refuses (no memfd, no address space) or mirroring is switched off.
    static Buffer mirrored(std::size_t bytes) noexcept;

    explicit operator bool() const noexcept { return map_ != nullptr; }
    std::byte* data() const noexcept { return map_ + offset_; }
    bool is_mirrored() const noexcept { return mirrored_; }

    /// Writes every page, so that the run takes no page fault on it. On the thread whose NUMA policy shall place it.
    void prefault() const noexcept;

    /// Asks for transparent huge pages. Empty: granted; else the kernel's reason.
    std::string advise_huge_pages() const;

  private:
    Buffer(std::byte* map, std::size_t mapped, std::size_t offset, bool mirrored) noexcept
        : map_(map), mapped_(mapped), offset_(offset), mirrored_(mirrored) {}

    std::byte* map_ = nullptr;
    std::size_t mapped_ = 0;  ///< bytes of address space; both copies where mirrored
    std::size_t offset_ = 0;
    bool mirrored_ = false;
};

/// False under ThreadSanitizer (which cannot see that two addresses are one), where the build says -DWEIR_UNMIRRORED=1
/// and where the environment says WEIR_UNMIRRORED=1.
bool mirroring_enabled() noexcept;

/// Locks all present and future pages. Empty: granted; else the kernel's reason.
std::string lock_all_memory();

/// The policy under which the calling thread's new pages are placed: "" (the kernel's), "local", "interleave" or a node
/// number. Empty: granted; else the reason.
std::string set_numa_policy(std::string_view policy);

/// What the kernel says that policy is: `default`, `local`, or `preferred`, `bind`, `interleave` with the nodes
/// (`bind 0,2`). Empty where it does not tell.
std::string numa_policy();

}  // namespace weir
