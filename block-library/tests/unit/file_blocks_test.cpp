#include "scratch_folder.hpp"

#include <vector>

#include "sinks/file_sink/file_sink.hpp"
#include "sources/file_source/file_source.hpp"

namespace weir {
namespace {

class FileBlocks : public ScratchFolder {
  protected:
    void write(const std::string& name, std::size_t bytes) { ScratchFolder::write(name, std::string(bytes, 'x')); }
};

TEST_F(FileBlocks, SourceNamesWhatIsWrongAtTheStart) {
    write("seven", 7);
    write("empty", 0);
    std::filesystem::create_directory(folder_ / "folder");
    const auto error = [&](const char* path, std::int64_t offset = 0, bool repeat = false) {
        blocks::FileSource<float> source;
        source.params = {path, offset, repeat};
        return start_error(source);
    };
    EXPECT_NE(error("missing").find("no such file"), std::string::npos);
    EXPECT_NE(error("folder").find("not a regular file"), std::string::npos);
    EXPECT_NE(error("seven").find("7 bytes, not a multiple of the item's 4"), std::string::npos);
    EXPECT_NE(error("empty", 1).find("offset_items is 1"), std::string::npos);
    EXPECT_NE(error("empty", -1).find("offset_items is -1"), std::string::npos);
    EXPECT_NE(error("empty", 0, true).find("no item to repeat"), std::string::npos);
    EXPECT_EQ(error("empty"), "");
}

TEST_F(FileBlocks, SourceNoticesAFileThatShrinks) {
    write("shrinks", 400'000);
    blocks::FileSource<float> source;
    source.params.path = "shrinks";
    source.start(context_);
    std::filesystem::resize_file(folder_ / "shrinks", 4'000);
    std::vector<float> space(100'000);
    Out<float> out(space);
    EXPECT_EQ(source.work(out).status, WorkStatus::error);
    EXPECT_EQ(out.produced(), 1'000U);
    EXPECT_NE(source.error().find("shorter"), std::string_view::npos);
}

TEST_F(FileBlocks, SourceReadsBeyondFourGibibytes) {
    constexpr std::int64_t kItems = (5LL << 30) / 4;
    {
        std::ofstream file(folder_ / "sparse", std::ios::binary);
        file.seekp(kItems * 4 - 4);
        const float last = 42.0F;
        file.write(reinterpret_cast<const char*>(&last), 4);
    }
    blocks::FileSource<float> source;
    source.params = {"sparse", kItems - 2, false};
    source.start(context_);
    EXPECT_EQ(source.total_items(), 2U);
    std::vector<float> space(8, -1.0F);
    Out<float> out(space);
    EXPECT_EQ(source.work(out).status, WorkStatus::done);
    EXPECT_EQ(out.produced(), 2U);
    EXPECT_EQ(space[0], 0.0F);
    EXPECT_EQ(space[1], 42.0F);
}

TEST_F(FileBlocks, SinkReportsAFullDiskWhileWriting) {
    blocks::FileSink<float> sink;
    sink.params.path = "/dev/full";
    sink.start(context_);
    const std::vector<float> items(1 << 20, 1.0F);
    In<float> in(items, false);
    EXPECT_EQ(sink.work(in).status, WorkStatus::error);
    EXPECT_NE(sink.error().find("/dev/full"), std::string_view::npos);
    EXPECT_NE(sink.error().find("No space left"), std::string_view::npos);
    EXPECT_NO_THROW(sink.stop());
}

TEST_F(FileBlocks, SinkReportsAFullDiskWhenItCloses) {
    blocks::FileSink<float> sink;
    sink.params.path = "/dev/full";
    sink.start(context_);
    const std::vector<float> items(10, 1.0F);
    In<float> in(items, true);
    EXPECT_EQ(sink.work(in).status, WorkStatus::ok);
    EXPECT_THROW(sink.stop(), std::runtime_error);
    EXPECT_NO_THROW(sink.stop());
}

TEST_F(FileBlocks, SinkNamesATargetThatItCannotOpen) {
    std::filesystem::create_directory(folder_ / "taken");
    write("file", 1);
    for (const char* path : {"taken", "file/below"}) {
        blocks::FileSink<float> sink;
        sink.params.path = path;
        EXPECT_NE(start_error(sink).find(path), std::string::npos);
    }
}

}  // namespace
}  // namespace weir
