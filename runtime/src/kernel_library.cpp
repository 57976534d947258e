#include "weir/kernel_library.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "weir/text.hpp"

namespace weir {
namespace {

using Implementations = std::vector<KernelImplementation>;

constexpr std::string_view kGeneric = "generic";
constexpr std::string_view kAuto = "auto";              // the library's choice for one kernel, whatever others have
constexpr const char* kOnlyGeneric = "VOLK_GENERIC";    // takes effect with any value, and overrides preferences
constexpr const char* kPlace = "VOLK_CONFIGPATH";       // folder that holds volk/volk_config

const KernelImplementation* find(const Implementations& all, std::string_view name) {
    const auto found = std::ranges::find(all, name, &KernelImplementation::name);
    return found == all.end() ? nullptr : &*found;
}

/// Return the library's choice without a preference: the first implementation among those that need the most CPU
/// features, if possible one for `aligned` items.
std::string most_demanding(const Implementations& all, bool aligned) {
    const KernelImplementation* best = nullptr;
    for (const bool kind : {aligned, false}) {
        for (const KernelImplementation& it : all) {
            if (it.aligned == kind && (best == nullptr || it.needs > best->needs)) best = &it;
        }
        if (best != nullptr) return std::string(best->name);
    }
    return std::string(kGeneric);
}

/// Return the library's own choice.
KernelPreference own_choice(const LibraryKernel& kernel, const Implementations& all,
                            const std::vector<KernelPreference>& preferences) {
    const std::string name(kernel.name);
    if (::getenv(kOnlyGeneric) != nullptr) return {name, std::string(kGeneric), std::string(kGeneric)};
    const auto preferred = std::ranges::find(preferences, name, &KernelPreference::kernel);
    if (preferred == preferences.end()) return {name, most_demanding(all, true), most_demanding(all, false)};
    const auto known = [&all](const std::string& it) { return find(all, it) != nullptr ? it : std::string(kGeneric); };
    return {name, known(preferred->aligned), known(preferred->unaligned)};
}

/// Apply a request to `choice` as far as possible. Returns false if no implementation matches.
bool meet(std::string_view requested, const Implementations& all, KernelPreference& choice) {
    const KernelImplementation* exact = find(all, requested);
    const KernelImplementation* aligned = exact != nullptr ? exact : find(all, concat({"a_", requested}));
    const KernelImplementation* any = exact != nullptr ? exact : find(all, concat({"u_", requested}));
    if (aligned == nullptr) aligned = any;
    if (aligned == nullptr) return false;
    choice.aligned = aligned->name;
    if (any != nullptr && !any->aligned) choice.unaligned = any->name;
    return true;
}

std::string names_of(const Implementations& all) {
    std::string names;
    for (const KernelImplementation& it : all) names += concat({names.empty() ? "" : ", ", it.name});
    return names;
}

/// Temporary folder with the preferences. The environment names it while the object exists.
class Preferences {
  public:
    explicit Preferences(const std::vector<KernelPreference>& all) : Preferences() {
        std::filesystem::create_directory(folder_ / "volk");
        std::ofstream file(folder_ / "volk" / "volk_config");
        for (const KernelPreference& it : all) file << it.kernel << ' ' << it.aligned << ' ' << it.unaligned << '\n';
        if (!file.flush())
            throw std::runtime_error(concat({"cannot write the preferences of VOLK into ", folder_.string()}));
    }
    Preferences(const Preferences&) = delete;
    Preferences& operator=(const Preferences&) = delete;
    ~Preferences() {
        if (before_) ::setenv(kPlace, before_->c_str(), 1);
        else ::unsetenv(kPlace);
        std::error_code gone;
        std::filesystem::remove_all(folder_, gone);
    }

  private:
    Preferences() {
        std::string path = (std::filesystem::temp_directory_path() / "weir-volk-XXXXXX").string();
        if (::mkdtemp(path.data()) == nullptr)
            throw std::runtime_error(concat({"cannot create ", path, ": ", std::strerror(errno)}));
        folder_ = path;
        if (const char* before = ::getenv(kPlace)) before_ = before;
        ::setenv(kPlace, path.c_str(), 1);
        ::unsetenv(kOnlyGeneric);
    }

    std::filesystem::path folder_;
    std::optional<std::string> before_;
};

/// Let each kernel choose now. If both names are the same, the choice must be the same for all items.
void let_choose(const KernelLibrary& library, const std::vector<KernelPreference>& choices) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
        library.kernels[i].choose();
        if (choices[i].aligned == choices[i].unaligned && !library.kernels[i].is_alike()) {
            throw std::runtime_error(
                concat({choices[i].kernel, " was called before Weir chose its VOLK implementation"}));
        }
    }
}

}  // namespace

KernelsChosen choose_kernels(const KernelLibrary& library) {
    KernelsChosen chosen;
    if (!library.implementation.empty()) chosen.implementation = library.implementation;
    if (library.machine == nullptr) return chosen;
    chosen.machine = library.machine();
    const std::vector<KernelPreference> preferences = library.preferences();
    bool any_requested = false;
    for (const LibraryKernel& kernel : library.kernels) {
        const Implementations all = kernel.implementations();
        KernelPreference choice = own_choice(kernel, all, preferences);
        const std::string_view requested = kernel.requested.empty() ? library.implementation : kernel.requested;
        any_requested = any_requested || !requested.empty();
        if (!requested.empty() && requested != kAuto && !meet(requested, all, choice) && !kernel.requested.empty()) {
            throw std::invalid_argument(concat(
                {kernel.name, " has no implementation `", requested, "` on this machine; it has ", names_of(all)}));
        }
        chosen.kernels.push_back(std::move(choice));
    }
    if (!any_requested) {
        let_choose(library, chosen.kernels);
        return chosen;
    }
    std::vector<KernelPreference> preferred = chosen.kernels;
    for (const KernelPreference& it : preferences) {
        if (std::ranges::find(preferred, it.kernel, &KernelPreference::kernel) == preferred.end())
            preferred.push_back(it);
    }
    const Preferences handed_over(preferred);
    let_choose(library, chosen.kernels);
    return chosen;
}

}  // namespace weir
