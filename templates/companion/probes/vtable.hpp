// Replaces virtual functions of classes that are already loaded, one slot of their vtables each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace weir::companion {

/// Return the place of a virtual function in a vtable, in slots from the address point (Itanium C++ ABI).
template <class Member> std::size_t slot_of(Member member) noexcept {
    struct {
        std::uintptr_t function;
        std::ptrdiff_t adjustment;
    } parts{};
    static_assert(sizeof member == sizeof parts);
    std::memcpy(&parts, &member, sizeof parts);
#if defined(__aarch64__) || defined(__arm__)
    return parts.function / sizeof(void*);  // the adjustment says that the function is virtual
#else
    return (parts.function - 1) / sizeof(void*);
#endif
}

/// Return the slot of this object's class. The object is the subobject through which the function is called: the vtable
/// of a `gr::block` within a class that inherits it virtually has thunks, and a call through its slot expects this
/// subobject.
inline void** slot(const void* object, std::size_t place) noexcept {
    void** vtable = nullptr;
    std::memcpy(static_cast<void*>(&vtable), object, sizeof vtable);
    return vtable + place;
}

/// Write `function` into a slot and leave its page as protected as it was. Returns "" or the reason of a refusal.
std::string replace(void** slot, void* function);

}  // namespace weir::companion
