// A library that chooses kernels as VOLK does: from a file that its environment names, which is deleted afterwards.
#include "weir/kernel_library.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

namespace {

using namespace weir;

std::vector<KernelPreference> preferred;
std::map<std::string, KernelPreference> in_effect;     // preferences by file, at the first call of a kernel
std::filesystem::path folder;
bool alike = true;

std::vector<KernelPreference> file_of_the_environment() {
    std::vector<KernelPreference> found;
    const char* place = ::getenv("VOLK_CONFIGPATH");
    if (place == nullptr) return found;
    folder = place;
    std::ifstream file(folder / "volk" / "volk_config");
    for (KernelPreference it; file >> it.kernel >> it.aligned >> it.unaligned;) found.push_back(it);
    return found;
}

void choose() {
    for (const KernelPreference& it : file_of_the_environment()) in_effect[it.kernel] = it;
}

std::vector<KernelImplementation> of_add() {
    return {{"generic", 0, false}, {"a_sse", 2, true}, {"u_sse", 2, false}, {"a_avx", 6, true}, {"u_avx", 6, false}};
}
std::vector<KernelImplementation> of_split() {  // the aligned one is faster
    return {{"a_avx2", 14, true}, {"generic", 0, false}, {"u_orc", 1, false}};
}

class Kernels : public ::testing::Test {
  protected:
    Kernels() {
        preferred.clear();
        in_effect.clear();
        folder.clear();
        alike = true;
        ::unsetenv("VOLK_CONFIGPATH");
        ::unsetenv("VOLK_GENERIC");
    }
    ~Kernels() override { ::unsetenv("VOLK_GENERIC"); }

    static KernelsChosen chosen(std::string_view implementation, std::string_view of_split_alone = "") {
        return choose_kernels({implementation,
                               [] { return std::string("avx2_machine"); },
                               [] { return preferred; },
                               {{"volk_add", "", of_add, choose, [] { return alike; }},
                                {"volk_split", of_split_alone, of_split, choose, [] { return alike; }}}});
    }
    static std::string both(const KernelPreference& it) { return it.kernel + " " + it.aligned + " " + it.unaligned; }
};

TEST_F(Kernels, AreTheLibrarysChoiceByDefault) {
    const KernelsChosen it = chosen("");
    EXPECT_EQ(it.machine, "avx2_machine");
    EXPECT_EQ(it.implementation, std::nullopt);
    EXPECT_EQ(both(it.kernels[0]), "volk_add a_avx u_avx");
    EXPECT_EQ(both(it.kernels[1]), "volk_split a_avx2 u_orc");
    EXPECT_TRUE(folder.empty()) << "a file of the program's own was named";
}

TEST_F(Kernels, FollowTheUsersPreferencesFirst) {
    preferred = {{"volk_add", "u_sse", "generic"}, {"volk_split", "unheard_of", "u_orc"}};
    const KernelsChosen it = chosen("");
    EXPECT_EQ(both(it.kernels[0]), "volk_add u_sse generic");
    EXPECT_EQ(both(it.kernels[1]), "volk_split generic u_orc");
}

TEST_F(Kernels, AreAsRequestedForBothItemTypes) {
    const KernelsChosen it = chosen("sse");
    EXPECT_EQ(it.implementation, "sse");
    EXPECT_EQ(both(it.kernels[0]), "volk_add a_sse u_sse");
    EXPECT_EQ(both(it.kernels[1]), "volk_split a_avx2 u_orc") << "it has none: the library's own";
    EXPECT_EQ(both(in_effect.at("volk_add")), "volk_add a_sse u_sse");
    EXPECT_EQ(both(in_effect.at("volk_split")), "volk_split a_avx2 u_orc");
    EXPECT_FALSE(std::filesystem::exists(folder));
    EXPECT_EQ(::getenv("VOLK_CONFIGPATH"), nullptr);
}

TEST_F(Kernels, OfAnExactNameServeAllButAlignedItems) {
    EXPECT_EQ(both(chosen("u_sse").kernels[0]), "volk_add u_sse u_sse");
    EXPECT_EQ(both(chosen("a_sse").kernels[0]), "volk_add a_sse u_avx");
    EXPECT_EQ(both(chosen("generic").kernels[1]), "volk_split generic generic");
    EXPECT_EQ(both(chosen("avx2").kernels[1]), "volk_split a_avx2 u_orc");
}

TEST_F(Kernels, CanBeRequestedOneByOne) {
    const KernelsChosen it = chosen("avx", "generic");
    EXPECT_EQ(both(it.kernels[0]), "volk_add a_avx u_avx");
    EXPECT_EQ(both(it.kernels[1]), "volk_split generic generic");
    EXPECT_EQ(both(chosen("generic", "auto").kernels[1]), "volk_split a_avx2 u_orc") << "the library's own";
    try {
        chosen("avx", "avx9");
        FAIL() << "there is no avx9";
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(),
                     "volk_split has no implementation `avx9` on this machine; it has a_avx2, generic, u_orc");
    }
}

TEST_F(Kernels, KeepTheUsersOtherPreferences) {
    preferred = {{"volk_other", "a_avx", "u_avx"}, {"volk_add", "generic", "generic"}};
    chosen("sse");
    EXPECT_EQ(both(in_effect.at("volk_other")), "volk_other a_avx u_avx");
    EXPECT_EQ(both(in_effect.at("volk_add")), "volk_add a_sse u_sse");
    EXPECT_EQ(in_effect.size(), 3U);
}

TEST_F(Kernels, ObeyTheVariableThatPrecedesPreferencesUnlessRequested) {
    ::setenv("VOLK_GENERIC", "", 1);
    EXPECT_EQ(both(chosen("").kernels[0]), "volk_add generic generic");
    EXPECT_NE(::getenv("VOLK_GENERIC"), nullptr);
    EXPECT_EQ(both(chosen("sse").kernels[0]), "volk_add a_sse u_sse");
    EXPECT_EQ(::getenv("VOLK_GENERIC"), nullptr) << "it would come before what is wished";
}

TEST_F(Kernels, ThatWereCalledTooEarlyAreReported) {
    alike = false;  // as if each item type had its own implementation, under one name
    EXPECT_THROW(chosen("generic"), std::runtime_error);
    EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(Kernels, ThatAreNotCalledHaveNoMachine) {
    const KernelsChosen it = choose_kernels({.implementation = "off"});
    EXPECT_EQ(it.machine, std::nullopt);
    EXPECT_EQ(it.implementation, "off");
    EXPECT_TRUE(it.kernels.empty());
}

}  // namespace
