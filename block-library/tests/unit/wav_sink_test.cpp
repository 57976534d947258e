#include "scratch_folder.hpp"

#include <cstring>
#include <iterator>
#include <vector>

#include "sinks/wav_sink/wav_sink.hpp"

namespace weir {
namespace {

class WavSink : public ScratchFolder {
  protected:
    std::string content(const char* name) {
        std::ifstream file(folder_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
}

template <class T> WorkStatus give(blocks::WavSink<T>& sink, std::size_t items) {
    const std::vector<T> silence(items, T{0.5F});
    In<T> in(silence, false);
    const WorkStatus status = sink.work(in).status;
    EXPECT_TRUE(status == WorkStatus::error || in.consumed() == items);
    return status;
}

TEST_F(WavSink, TheFileIsWholeAfterEachSecondWithoutAStop) {
    blocks::WavSink<float> sink;
    sink.params = {.path = "a.wav", .sample_rate = 1000};
    sink.start(context_);
    // Number of frames in the header after each call.
    for (const std::uint32_t told : {0U, 1800U, 1800U, 3600U}) {
        EXPECT_EQ(give(sink, 900), WorkStatus::ok);
        const std::string file = content("a.wav");
        if (told == 0) continue;
        EXPECT_EQ(number_at(file, 40), 2 * told);
        EXPECT_EQ(number_at(file, 4), 36 + 2 * told);
        EXPECT_GE(file.size(), 44 + 2 * told);
    }
    EXPECT_EQ(give(sink, 1), WorkStatus::ok);
    sink.stop();
    const std::string file = content("a.wav");
    EXPECT_EQ(file.size(), 44 + 2 * 3601U);
    EXPECT_EQ(number_at(file, 40), 2 * 3601U);
    EXPECT_NO_THROW(sink.stop());
}

TEST_F(WavSink, StereoFloatsHaveTheirFactChunk) {
    blocks::WavSink<c64> sink;
    sink.params = {.path = "a.wav", .sample_rate = 8000, .format = blocks::WavSink<c64>::Format::kFloat32};
    sink.start(context_);
    EXPECT_EQ(give(sink, 5), WorkStatus::ok);
    sink.stop();
    const std::string file = content("a.wav");
    ASSERT_EQ(file.size(), 58 + 5 * 8U);
    EXPECT_EQ(file.substr(38, 4), "fact");
    EXPECT_EQ(number_at(file, 46), 5U);
    EXPECT_EQ(number_at(file, 28), 64'000U);
    EXPECT_EQ(number_at(file, 54), 40U);
}

TEST_F(WavSink, StopsAtFourGibibytes) {
    blocks::WavSink<c64> sink;
    sink.params = {.path = "/dev/null", .sample_rate = 100'000'000, .format = blocks::WavSink<c64>::Format::kFloat32};
    sink.start(context_);
    const std::vector<c64> items(1 << 24);
    std::uint64_t frames = 0;
    for (WorkStatus status = WorkStatus::ok; status == WorkStatus::ok;) {
        In<c64> in(items, false);
        status = sink.work(in).status;
        frames += in.consumed();
        ASSERT_LT(frames, 1ULL << 29);
    }
    EXPECT_GT(frames, (1ULL << 29) - 4096);
    EXPECT_NE(sink.error().find("4 GiB"), std::string_view::npos);
    EXPECT_NO_THROW(sink.stop());
}

TEST_F(WavSink, ReportsAFullDiskWhileWritingAndWhenItCloses) {
    blocks::WavSink<float> sink;
    sink.params.path = "/dev/full";
    sink.start(context_);
    EXPECT_EQ(give(sink, 1 << 20), WorkStatus::error);
    EXPECT_NE(sink.error().find("cannot write /dev/full: No space left"), std::string_view::npos);
    EXPECT_NO_THROW(sink.stop());
    sink.start(context_);
    EXPECT_EQ(give(sink, 10), WorkStatus::ok);
    EXPECT_THROW(sink.stop(), std::runtime_error);
}

TEST_F(WavSink, NamesATargetThatItCannotOpenAndARateThatIsNone) {
    std::filesystem::create_directory(folder_ / "taken");
    write("file", "x");
    for (const char* path : {"taken", "file/below"}) {
        blocks::WavSink<float> sink;
        sink.params.path = path;
        EXPECT_NE(start_error(sink).find(path), std::string::npos);
    }
    blocks::WavSink<float> sink;
    sink.params = {.path = "a.wav", .sample_rate = 0};
    EXPECT_NE(start_error(sink).find("sample_rate"), std::string::npos);
}

}  // namespace
}  // namespace weir
