#include "weir/param.hpp"

#include <gtest/gtest.h>

namespace {

using namespace weir;

enum class Waveform : std::uint8_t { kSine, kCosine };

struct Fields {
    float a = 0.75F, b = 0.75F;
    double rate = 1e6;
    std::int64_t delay = -3;
    std::int16_t step = 2;
    std::uint8_t byte = 7;
    bool on = false;
    std::string path = "in.dat";
    std::complex<float> gain{1, 2};
    std::vector<float> taps{1.0F, 0.5F};
    Waveform waveform = Waveform::kSine;
};

class ParamTableTest : public testing::Test {
  protected:
    ParamTableTest() {
        table.add("stage.a", f.a, {0.0, 1.0});
        table.add("source.rate", f.rate, Range{.minimum = 1});
        table.add("stage.delay", f.delay);
        table.add("stage.step", f.step);
        table.add("stage.byte", f.byte);
        table.add("stage.on", f.on);
        table.add("file.path", f.path);
        table.add("mix.gain", f.gain);
        table.add("fir.taps", f.taps);
        table.add("source.waveform", f.waveform, {"sine", "cosine"});
        table.add("stage.a", f.b, {0.0, 1.0});
    }
    std::string json(const std::string& name) const {
        for (const auto& entry : table.entries()) {
            if (entry.name == name) return ParamTable::json(entry);
        }
        return "no such entry";
    }
    Fields f;
    ParamTable table;
};

TEST_F(ParamTableTest, OneNameSetsEveryCopy) {
    EXPECT_EQ(table.set("stage.a=0.5"), "");
    EXPECT_EQ(f.a, 0.5F);
    EXPECT_EQ(f.b, 0.5F);
}

TEST_F(ParamTableTest, SetsEveryType) {
    for (const char* assignment :
         {"source.rate=2.4M", "stage.delay=-9 k", "stage.step=-300", "stage.byte=255", "stage.on=true",
          "file.path=a=b c.dat", "mix.gain=[-1, 0.5]", "fir.taps=1, 2,-3.5", "source.waveform=cosine"}) {
        EXPECT_EQ(table.set(assignment), "") << assignment;
    }
    EXPECT_EQ(f.rate, 2.4e6);
    EXPECT_EQ(f.delay, -9000);
    EXPECT_EQ(f.step, -300);
    EXPECT_EQ(f.byte, 255);
    EXPECT_TRUE(f.on);
    EXPECT_EQ(f.path, "a=b c.dat");
    EXPECT_EQ(f.gain, std::complex<float>(-1, 0.5F));
    EXPECT_EQ(f.taps, (std::vector<float>{1, 2, -3.5F}));
    EXPECT_EQ(f.waveform, Waveform::kCosine);
    EXPECT_EQ(table.set("mix.gain=3"), "");
    EXPECT_EQ(f.gain, std::complex<float>(3, 0));
    EXPECT_EQ(table.set("fir.taps=[]"), "");
    EXPECT_TRUE(f.taps.empty());
}

TEST_F(ParamTableTest, RefusesAndChangesNothing) {
    const auto expect = [&](const char* assignment, const char* part) {
        EXPECT_NE(table.set(assignment).find(part), std::string::npos) << assignment << ": " << table.set(assignment);
    };
    expect("stage.a=2", "from 0 to 1");
    expect("source.rate=0", "at least 1");
    expect("stage.delay=1.5", "integer");
    expect("stage.step=40000", "16 bits");
    expect("stage.byte=-1", "8 bits");
    expect("stage.on=maybe", "true or false");
    expect("mix.gain=1,2,3", "real,imaginary");
    expect("fir.taps=1,x", "list");
    expect("source.waveform=square", "one of sine, cosine");
    expect("stage.aa=1", "did you mean `stage.a`");
    expect("zzzzzzzzzz=1", "--help");
    expect("stage.a", "value");
    EXPECT_EQ(f.a, 0.75F);
    EXPECT_EQ(f.step, 2);
    EXPECT_EQ(f.gain, std::complex<float>(1, 2));
}

TEST_F(ParamTableTest, ReportsTheValueInEffect) {
    EXPECT_EQ(json("stage.a"), "0.75");
    EXPECT_EQ(json("stage.delay"), "-3");
    EXPECT_EQ(json("stage.byte"), "7");
    EXPECT_EQ(json("stage.on"), "false");
    EXPECT_EQ(json("file.path"), "\"in.dat\"");
    EXPECT_EQ(json("mix.gain"), "[1,2]");
    EXPECT_EQ(json("fir.taps"), "[1,0.5]");
    EXPECT_EQ(json("source.waveform"), "\"sine\"");
    EXPECT_EQ(table.set("stage.a=0.1"), "");
    EXPECT_EQ(json("stage.a"), "0.1");
}

}  // namespace
