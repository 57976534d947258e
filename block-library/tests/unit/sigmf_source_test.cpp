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
    EXPECT_SAYS(error<c64>(48e3), "core:sample_rate is 1e+06 Hz, the flowgraph is made for 48000 Hz");
    EXPECT_SAYS(error<c64>(0.0, 3), "offset_items is 3");
    EXPECT_SAYS(error<c64>(0.0, -1), "offset_items is -1");
    EXPECT_SAYS(error<c64>(0.0, 2, true), "no item to repeat");
    write("r.sigmf-data", "xxxxx");
    EXPECT_SAYS(error<c64>(), "5 bytes, not a multiple of the item's 2");
    metadata(R"("core:datatype": "rf32_le")");
    write("r.sigmf-data", "xxxx");
    EXPECT_SAYS(error<float>(48e3), "it has no core:sample_rate");
    EXPECT_SAYS(error<c64>(), "core:datatype rf32_le is real");
}

TEST_F(SigmfSource, RefusesLayoutsThatItDoesNotRead) {
    write("r.sigmf-data", "xxxx");
    const std::string base = std::string(kBytes) + ", ";
    metadata(base + R"("core:num_channels": 2)");
    EXPECT_SAYS(error<c64>(), "core:num_channels");
    metadata(base + R"("core:metadata_only": true)");
    EXPECT_SAYS(error<c64>(), "core:metadata_only");
    metadata(base + R"("core:dataset": "other.bin")");
    EXPECT_SAYS(error<c64>(), "core:dataset");
    metadata(base + R"("core:trailing_bytes": 4)");
    EXPECT_SAYS(error<c64>(), "core:trailing_bytes");
    write("r.sigmf-meta", R"({"captures": [{"core:header_bytes": 2}], "global": {"core:datatype": "cu8"}})");
    EXPECT_SAYS(error<c64>(), "core:header_bytes");
    for (const char* datatype :
         {"", "c", "cu", "c_le", "cu8_le", "cf32", "cf32_me", "cf16_le", "xf32_le", "cu64_le", "CF32_LE", "cf32_le "}) {
        metadata(std::string(R"("core:datatype": ")") + datatype + '"');
        EXPECT_SAYS(error<c64>(), "core:datatype");
    }
}

TEST_F(SigmfSource, RefusesWhatIsNoJsonAndNamesTheLine) {
    write("r.sigmf-data", "xxxx");
    for (const char* text :
         {"", "{", "[]", "nul", "\xff\xfe", R"({"global": {})", R"({"global" {}})", R"({"global": {"x": nan}})",
          R"({"global": {"core:datatype": cu8}})", R"({"global": {"core:datatype": "cu8"}} x)",
          R"({"global": {"x": +1}})", R"({"global": {"x": -inf}})", R"({"global": {"x": "\q"}})",
          R"({"global": {"x": "\u12"}})", R"({"global": {"x": ")", R"({"global": {"x": tru}})",
          R"({"global": {"x": [1, ]}})", R"({"global": {"core:num_channels": "1"}})"}) {
        write("r.sigmf-meta", text);
        EXPECT_SAYS(error<c64>(), "r.sigmf-meta: line 1: ") << " for " << text;
    }
    write("r.sigmf-meta", "{\n\"global\":\n{\"core:datatype\": 8}}");
    EXPECT_SAYS(error<c64>(), "line 3: '\"' is wanted");
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

TEST_F(SigmfSource, NoticesARecordingThatShrinks) {
    metadata(R"("core:datatype": "rf32_le")");
    write("r.sigmf-data", std::string(400'000, 'x'));
    blocks::SigmfSource<float> source;
    source.params.path = "r.sigmf-data";
    ASSERT_EQ(start_error(source), "");
    std::filesystem::resize_file(folder_ / "r.sigmf-data", 4'000);
    std::vector<float> space(100'000);
    Out<float> out(space);
    EXPECT_EQ(source.work(out).status, WorkStatus::error);
    EXPECT_EQ(out.produced(), 1'000U);
    EXPECT_SAYS(std::string(source.error()), "shorter");
}

}  // namespace
}  // namespace weir
