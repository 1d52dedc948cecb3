// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/file.hpp>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace pintle {
namespace {

TEST(File, IsReadUnchangedUpToALimit) {
  const std::string path = ::testing::TempDir() + "pintle_file_test_" + std::to_string(::getpid());
  const std::string text = std::string(20'000, 'x') + '\0' + "\r\n";
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(read_file(path).value(), text);
  std::filesystem::resize_file(path, (16U << 20U) + 1);
  EXPECT_EQ(read_file(path).error().message, path + ": File too large");
  std::filesystem::remove(path);
  EXPECT_EQ(read_file(path).error().message, path + ": No such file or directory");
}

}  // namespace
}  // namespace pintle
