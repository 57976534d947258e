// Fixture with a separate folder for each test of a block that reads or writes files.
#pragma once

#include <gtest/gtest.h>

#include <stdlib.h>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "weir/block.hpp"

namespace weir {

class ScratchFolder : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "weir-blocks-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
        context_.project_dir = context_.output_dir = folder_;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void write(const std::string& name, std::string_view content) {
        std::ofstream(folder_ / name, std::ios::binary) << content;
    }

    /// Return the message of a failed `start`, or "" if it succeeds.
    template <class B> std::string start_error(B& block) {
        try {
            block.start(context_);
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return "";
    }

    std::filesystem::path folder_;
    BlockContext context_;
};

}  // namespace weir
