// SPDX-License-Identifier: Apache-2.0
#include "progress_line.hpp"

#include <string>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(ProgressLine, ShowsTheShare) {
  EXPECT_EQ(progress_text("objects", 0, 50'000), "[----------------------------] 0 of 50,000 objects (0 %)");
  EXPECT_EQ(progress_text("objects", 12'500, 50'000), "[#######---------------------] 12,500 of 50,000 objects (25 %)");
  EXPECT_EQ(progress_text("objects", 49'999, 50'000), "[###########################-] 49,999 of 50,000 objects (99 %)");
  EXPECT_EQ(progress_text("files", 1, 1), "[############################] 1 of 1 files (100 %)");
  EXPECT_EQ(progress_text("files", 7, 3), "[############################] 3 of 3 files (100 %)");
  EXPECT_EQ(progress_text("files", 0, 0), "[############################] 0 of 0 files (100 %)");
}

TEST(ProgressLine, WritesNothingIfStandardErrorIsNoTerminal) {
  const auto executor = make_real_executor();
  testing::internal::CaptureStderr();
  {
    ProgressLine line(*executor, "objects", 10);
    for (int i = 0; i < 10; ++i) line.add();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace pintle
