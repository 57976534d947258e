// A library of kernels that has several implementations of each, and takes those that a file of preferences names: VOLK. The
// program tells it which, before any block starts, and asks it what it took. What is the library's own comes in by functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

struct KernelImplementation {
    std::string_view name;
    int needs = 0;  ///< what the CPU must have, a bit each
    bool aligned = false;  ///< it takes aligned items alone
};

/// The implementation of a kernel for aligned items, and for any.
struct KernelPreference {
    std::string kernel, aligned, unaligned;
};

/// A kernel that blocks of the program call.
struct LibraryKernel {
    std::string_view name;
    std::string_view wish;  ///< of this kernel alone; "": as for all of them
    std::vector<KernelImplementation> (*implementations)();  ///< that this machine has
    void (*choose)();  ///< a call without items: the library chooses at the first one
    bool (*is_alike)();  ///< it has chosen one for all items, aligned or not
};

struct KernelLibrary {
    std::string_view implementation = "";  ///< wished of all kernels; "": as the library chooses
    std::string (*machine)() = nullptr;  ///< null: none of its kernels is called
    std::vector<KernelPreference> (*preferences)() = nullptr;  ///< of the user or the system, as the library reads them
    std::vector<LibraryKernel> kernels = {};
};

/// What the library says. `implementation`: absent where nothing was wished.
struct KernelsChosen {
    std::optional<std::string> machine, implementation;
    std::vector<KernelPreference> kernels;
};

/// Lets the library choose, once in a process: by preferences of the program's own where something is wished. A wish without `a_`
/// or `u_` is for both kinds of items; a kernel that has no such implementation keeps the library's own choice, unless the wish is of
/// it alone. Throws std::invalid_argument for that, std::runtime_error where the preferences cannot be handed over.
KernelsChosen choose_kernels(const KernelLibrary& library);

}  // namespace weir
