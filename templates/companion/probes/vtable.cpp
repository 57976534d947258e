#include "vtable.hpp"

#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <memory>

#include <sys/mman.h>
#include <unistd.h>

namespace weir::companion {

namespace {

/// Return the protection of the mapping at `address`, or -1 if there is none.
int protection(std::uintptr_t address) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "re"), std::fclose);
    if (!maps) return -1;
    char line[512];
    while (std::fgets(line, sizeof line, maps.get()) != nullptr) {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        char access[5] = "";
        if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, access) != 3) continue;
        if (address < begin || address >= end) continue;
        return (access[0] == 'r' ? PROT_READ : 0) | (access[1] == 'w' ? PROT_WRITE : 0) |
               (access[2] == 'x' ? PROT_EXEC : 0);
    }
    return -1;
}

}  // namespace

std::string replace(void** slot, void* function) {
    const auto address = reinterpret_cast<std::uintptr_t>(slot);
    const int before = protection(address);
    if (before < 0) return "its vtable lies in no mapping";
    const auto bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    auto* const page = reinterpret_cast<void*>(address & ~(bytes - 1));
    // Vtables are read-only after relocation, so the page is opened for one store. A slot never spans two pages.
    if (::mprotect(page, bytes, before | PROT_WRITE) != 0) return std::strerror(errno);
    std::atomic_ref(*slot).store(function, std::memory_order_release);
    return ::mprotect(page, bytes, before) == 0 ? "" : std::strerror(errno);
}

}  // namespace weir::companion
