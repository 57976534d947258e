#include "scratch_folder.hpp"

#include <sys/stat.h>

#include <vector>

#include "sources/sigmf_source/sigmf_source.hpp"

namespace weir {
namespace {

class SigmfSource : public ScratchFolder {
  protected:
    template <class T> std::string error(double sample_rate = 0.0, std::int64_t offset = 0, bool repeat = false) {
        blocks::SigmfSource<T> source;
        source.params = {"r.sigmf-meta", sample_rate, offset, repeat};
        return start_error(source);
    }

    void metadata(const std::string& global) {
        write("r.sigmf-meta", "{\"global\": {" + global + "}, \"captures\": []}");
    }

    static constexpr const char* kBytes = R"("core:datatype": "cu8", "core:sample_rate": 1e6)";
};

#define EXPECT_SAYS(message, part) EXPECT_NE((message).find(part), std::string::npos) << (message)

TEST_F(SigmfSource, NamesTheFileThatIsMissing) {
    EXPECT_SAYS(error<c64>(), "no such file: " + (folder_ / "r.sigmf-meta").string());
    metadata(kBytes);
    EXPECT_SAYS(error<c64>(), "no such file: " + (folder_ / "r.sigmf-data").string());
    std::filesystem::create_directory(folder_ / "r.sigmf-data");
    EXPECT_SAYS(error<c64>(), "not a regular file: " + (folder_ / "r.sigmf-data").string());
    blocks::SigmfSource<c64> source;
    for (const char* path : {"r", "r.sigmf", "r.wav", ""}) {
        source.params.path = path;
        EXPECT_SAYS(start_error(source), "is named neither .sigmf-meta nor .sigmf-data");
    }
}

TEST_F(SigmfSource, DoesNotWaitForMetadataNorReadItWithoutAnEnd) {
    ASSERT_EQ(::mkfifo((folder_ / "r.sigmf-meta").c_str(), 0600), 0);
    EXPECT_SAYS(error<c64>(), "not a regular file: " + (folder_ / "r.sigmf-meta").string());
    std::filesystem::remove(folder_ / "r.sigmf-meta");
    metadata(kBytes);
    std::filesystem::resize_file(folder_ / "r.sigmf-meta", std::uintmax_t{1} << 40);
    EXPECT_SAYS(error<c64>(), "too large");
}

TEST_F(SigmfSource, RefusesWhatDoesNotFitTheFlowgraph) {
    write("r.sigmf-data", "xxxx");
    metadata(kBytes);
    EXPECT_EQ(error<c64>(), "");
    EXPECT_EQ(error<c64>(1e6), "");
    EXPECT_SAYS(error<float>(), "core:datatype cu8 is complex, the block's item_type is f32");
    EXPECT_SAYS(error<c64>(48e3), "core:sample_rate is 1e+06 Hz, the block expects 48000 Hz");
    EXPECT_SAYS(error<c64>(0.0, 3), "offset_items is 3");
    EXPECT_SAYS(error<c64>(0.0, -1), "offset_items is -1");
    EXPECT_SAYS(error<c64>(0.0, 2, true), "no item to repeat");
    write("r.sigmf-data", "xxxxx");
    EXPECT_SAYS(error<c64>(), "5 bytes, not a multiple of the item's 2");
    metadata(R"("core:datatype": "rf32_le")");
    write("r.sigmf-data", "xxxx");
    EXPECT_SAYS(error<float>(48e3), "it has no global.core:sample_rate");
    EXPECT_SAYS(error<c64>(), "core:datatype rf32_le is real");
}

TEST_F(SigmfSource, NamesTheLineAndTheField) {
    write("r.sigmf-data", "xxxx");
    write("r.sigmf-meta", "{\n\"global\":\n{\"core:datatype\": 8}}");
    EXPECT_SAYS(error<c64>(), "line 3: global.core:datatype: must be a text");
    write("r.sigmf-meta", std::string(100'000, '[') + std::string(100'000, ']'));
    EXPECT_SAYS(error<c64>(), "line 1");
    write("r.sigmf-meta", "{\"x\": " + std::string(100'000, '[') + "}");
    EXPECT_SAYS(error<c64>(), "nested too deeply");
    write("r.sigmf-meta", "{}");
    EXPECT_SAYS(error<c64>(), "no object `global`");
}

TEST_F(SigmfSource, TakesWhatItNeedNotUnderstand) {
    write("r.sigmf-data", std::string("\x00\x80\x80\xff", 4));
    write("r.sigmf-meta", R"({"annotations": [{"core:comment": "a \"quoted\" \u00e9\n",
                                               "x": [1, -2.5e-3, true, false, null, {}, []]}],
                              "captures": [{"core:sample_start": 0, "core:datetime": "2020"}], "collection": {},
                              "global": {"core:author": "x", "core:datatyp\u0065": "cu8", "core:num_channels": 1,
                                         "core:trailing_bytes": 0}})");
    blocks::SigmfSource<c64> source;
    source.params.path = "r.sigmf-data";
    ASSERT_EQ(start_error(source), "");
    EXPECT_EQ(source.total_items(), 2U);
    std::vector<c64> space(4);
    Out<c64> out(space);
    EXPECT_EQ(source.work(out).status, WorkStatus::done);
    EXPECT_EQ(out.produced(), 2U);
    EXPECT_EQ(space[0], c64(-1.0F, 0.0F));
    EXPECT_EQ(space[1], c64(0.0F, 127.0F / 128.0F));
}

/// Return the text with each %XX replaced by that byte.
std::string unquoted(const std::string& text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') bytes += text[i];
        else bytes += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16)), i += 2;
    }
    return bytes;
}

/// codegen/tests/test_recordings.py tests `weir validate` with the same table.
TEST_F(SigmfSource, ReadsAndRefusesWhatTheTableSays) {
    std::ifstream table(WEIR_SIGMF_TABLE);
    std::size_t tried = 0;
    for (std::string line; std::getline(table, line);) {
        if (line.starts_with('#')) continue;
        const std::string said = line.substr(0, line.find(' '));
        write("r.sigmf-meta", unquoted(line.substr(std::min(line.size(), said.size() + 1))));
        write("r.sigmf-data", "xxxxxxxx");
        const std::string why = error<c64>();
        if (said == "read") EXPECT_EQ(why, "") << line;
        else if (said == "refused") EXPECT_NE(why, "") << line;
        else EXPECT_SAYS(why, said) << line;
        ++tried;
    }
    EXPECT_GT(tried, 60U);
}

TEST_F(SigmfSource, BeginsWithTheFirstCapture) {
    write("r.sigmf-data", std::string("\x00\x00\x40\x40\x80\x80\xc0\xc0\xff\xff", 10));
    const auto captures = [this](const std::string& starts) {
        write("r.sigmf-meta",
              R"({"captures": [)" + starts + R"(], "global": {"core:datatype": "cu8", )" + R"("core:offset": 100}})");
    };
    captures(R"({"core:sample_start": 102}, {"core:sample_start": 104})");
    blocks::SigmfSource<c64> source;
    source.params = {"r.sigmf-meta", 0.0, 1, true};
    ASSERT_EQ(start_error(source), "");
    std::vector<c64> space(4);
    Out<c64> out(space);
    source.work(out);
    EXPECT_EQ(space, (std::vector<c64>{
                         {0.5F, 0.5F}, {127 / 128.0F, 127 / 128.0F}, {0.5F, 0.5F}, {127 / 128.0F, 127 / 128.0F}}));
    EXPECT_SAYS(error<c64>(0.0, 4), "offset_items is 4, but");
    EXPECT_SAYS(error<c64>(0.0, 4), "has 3 items from item 2 on");
    captures(R"({"core:sample_start": 106})");
    EXPECT_SAYS(error<c64>(), "captures[0].core:sample_start is 106, but");
    captures(R"({"core:sample_start": 99})");
    EXPECT_SAYS(error<c64>(), "captures[0].core:sample_start is less than global.core:offset");
    captures(R"({"core:sample_start": 102}, {"core:sample_start": 101})");
    EXPECT_SAYS(error<c64>(), "captures[1].core:sample_start is less");
    captures(R"({"core:sample_start": 2.5})");
    EXPECT_SAYS(error<c64>(), "captures[0].core:sample_start: must be a whole number, at least 0");
}

}  // namespace
}  // namespace weir
