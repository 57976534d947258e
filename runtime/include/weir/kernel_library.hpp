// Library such as VOLK, with several implementations of each kernel, that chooses by a preferences file. Before any
// block starts, the program sets the preferences and reads back the choices. It receives the library's functions as
// arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

struct KernelImplementation {
    std::string_view name;
    int needs = 0;  ///< required CPU features, one bit each
    bool aligned = false;  ///< requires aligned items
};

/// Chosen implementations of a kernel for aligned items, and for any.
struct KernelPreference {
    std::string kernel, aligned, unaligned;
};

/// Kernel that the program's blocks call.
struct LibraryKernel {
    std::string_view name;
    std::string_view requested;  ///< implementation requested for this kernel; "": as for all
    std::vector<KernelImplementation> (*implementations)();  ///< implementations for this machine
    void (*choose)();  ///< call without items, at which the library chooses
    bool (*is_alike)();  ///< whether the library chose the same implementation for aligned and unaligned items
};

struct KernelLibrary {
    std::string_view implementation = "";  ///< implementation requested for all kernels; "": the library chooses
    std::string (*machine)() = nullptr;  ///< null: the program calls no kernel
    std::vector<KernelPreference> (*preferences)() =
        nullptr;  ///< preferences of the user or the system, as the library reads them
    std::vector<LibraryKernel> kernels = {};
};

/// Choices of the library. `implementation`: absent if none was requested.
struct KernelsChosen {
    std::optional<std::string> machine, implementation;
    std::vector<KernelPreference> kernels;
};

/// Let the library choose, once per process. If an implementation is requested, the program writes its own preferences.
/// A name without `a_` or `u_` applies to aligned and unaligned items. A kernel without the requested implementation
/// keeps the library's choice. If the request names this kernel, it throws std::invalid_argument instead. Throws
/// std::runtime_error if the preferences cannot be written.
KernelsChosen choose_kernels(const KernelLibrary& library);

}  // namespace weir
