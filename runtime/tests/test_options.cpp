#include "weir/options.hpp"

#include <gtest/gtest.h>

#include "weir/numbers.hpp"

namespace {

using namespace weir;

ParsedOptions parse(std::vector<std::string> words, const RunSpec& defaults = {}) {
    words.insert(words.begin(), "app");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    return parse_options(static_cast<int>(argv.size()), argv.data(), defaults);
}

TEST(Numbers, SuffixesAreExact) {
    EXPECT_EQ(parse_integer("2.4M"), 2'400'000);
    EXPECT_EQ(parse_integer("32 k"), 32'000);
    EXPECT_EQ(parse_integer("1.000"), 1);
    EXPECT_EQ(parse_integer("5e3"), 5000);
    EXPECT_EQ(parse_integer("-7"), -7);
    EXPECT_EQ(parse_integer("2500m"), std::nullopt);
    EXPECT_EQ(parse_integer("2000m"), 2);
    EXPECT_EQ(parse_integer("9223372036854775807"), 9'223'372'036'854'775'807);
    EXPECT_EQ(parse_integer("9223372036854775808"), std::nullopt);
    EXPECT_EQ(parse_integer("9.3T"), 9'300'000'000'000);
    EXPECT_EQ(parse_integer("10000000T"), std::nullopt);
    EXPECT_EQ(parse_real("1.1k"), 1100.0);
    EXPECT_EQ(parse_real("10u"), 10e-6);
    EXPECT_EQ(parse_real("10µ"), 10e-6);
    EXPECT_EQ(parse_real("0.1"), 0.1);
    EXPECT_EQ(parse_real("-.5"), -0.5);
    EXPECT_EQ(parse_real("1e-400"), 0.0);
}

TEST(Numbers, RefusesEverythingElse) {
    for (const char* text : {"", " ", "k", "1kk", "1  k", "K", "1K", "0x10", "nan", "inf", "1e999", "1e", "--1",
                             "1.2.3", "1,5", "1e99999999999", "12 ", " 12"}) {
        EXPECT_FALSE(parse_real(text)) << text;
        EXPECT_FALSE(parse_integer(text)) << text;
    }
}

TEST(Options, NameTheProcessesOfTheInterferenceLoad) {
    EXPECT_EQ(parse({"--beside", "812,9"}).options.beside, (std::vector<int>{812, 9}));
    for (const char* wrong : {"", "a", "1,", ",1", "1,,2", "0", "-1", "4294967297"}) {
        EXPECT_NE(parse({"--beside", wrong}).problem.find("process ids"), std::string::npos) << wrong;
    }
}

TEST(Options, OfferOnlyTheTraceModesOfTheProgram) {
    EXPECT_EQ(parse({"--trace", "not_enabled"}).options.run.trace, TraceBackend::not_enabled);
    // These tests are compiled with probes.
    EXPECT_NE(parse({"--trace", "compiled_out"}).problem.find("lttng, memory, off or not_enabled"), std::string::npos);
}

TEST(Options, OverrideThePlan) {
    RunSpec plan;
    plan.items = 7;
    plan.seed = 3;
    const ParsedOptions parsed = parse(
        {"--items", "2.4M", "--trace=off", "--param", "a.b=1", "--param=c.d=x=y", "--warmup-items", "1k", "--timeout-s",
         "500m", "--metrics", "profile", "--progress=json", "--out", "there", "--verify", "--tap", "a.x", "--tap=b.y"},
        plan);
    ASSERT_EQ(parsed.problem, "");
    const Options& o = parsed.options;
    EXPECT_EQ(o.run.items, 2'400'000U);
    EXPECT_EQ(o.run.warmup_items, 1000U);
    EXPECT_EQ(o.run.seed, 3U);
    EXPECT_EQ(o.run.trace, TraceBackend::off);
    EXPECT_EQ(o.run.metrics, Metrics::profile);
    EXPECT_DOUBLE_EQ(o.run.timeout_s, 0.5);
    EXPECT_EQ(o.params, (std::vector<std::string>{"a.b=1", "c.d=x=y"}));
    EXPECT_EQ(o.out, "there");
    EXPECT_TRUE(o.progress_json);
    EXPECT_TRUE(o.verify);
    EXPECT_FALSE(o.without_reference);
    EXPECT_EQ(o.taps, (std::vector<std::string>{"a.x", "b.y"}));
}

TEST(Options, ReportErrors) {
    EXPECT_NE(parse({"--itmes", "3"}).problem.find("did you mean `--items`"), std::string::npos);
    EXPECT_NE(parse({"stray"}).problem.find("unexpected argument `stray`"), std::string::npos);
    EXPECT_NE(parse({"--items"}).problem.find("needs a value"), std::string::npos);
    EXPECT_NE(parse({"--items", "-1"}).problem.find("not `-1`"), std::string::npos);
    EXPECT_NE(parse({"--items", "1.5"}).problem, "");
    EXPECT_NE(parse({"--repeat", "0"}).problem, "");
    EXPECT_NE(parse({"--trace", "file"}).problem.find("lttng, memory, off or not_enabled"), std::string::npos);
    EXPECT_NE(parse({"--timeout-s", "0"}).problem, "");
    EXPECT_NE(parse({"--verify=yes"}).problem.find("takes no value"), std::string::npos);
    EXPECT_NE(parse({"--verify", "--repeat", "2"}).problem, "");
    EXPECT_NE(parse({"--tap", "a.out"}).problem.find("need --verify"), std::string::npos);
    EXPECT_NE(parse({"--without-reference"}).problem.find("need --verify"), std::string::npos);
}

TEST(Options, RepetitionsShareTheRest) {
    std::vector<std::string> words{"app",     "--repeat", "3",         "--items", "10",
                                   "--out=x", "--param",  "a.b=--out", "--json",  "--seed=4"};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    EXPECT_EQ(shared_arguments(static_cast<int>(argv.size()), argv.data()),
              (std::vector<std::string>{"--items", "10", "--param", "a.b=--out", "--seed=4"}));
}

}  // namespace
