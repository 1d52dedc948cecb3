// SPDX-License-Identifier: Apache-2.0
#include "standard_output.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace pintle {
namespace {

// Prints `size` characters to a file and returns what the end of the program would report.
[[noreturn]] void print_to(const char* path, std::size_t size) {
  if (std::freopen(path, "w", stdout) == nullptr) std::exit(98);
  std::fputs(std::string(size, 'a').c_str(), stdout);
  const auto flushed = flush_standard_output();
  if (!flushed) std::fprintf(stderr, "%s", flushed.error().message.c_str());
  std::_Exit(flushed ? 0 : 1);
}

TEST(StandardOutputDeathTest, AFullDiskIsAnError) {
  EXPECT_EXIT(print_to("/dev/null", 10), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(print_to("/dev/full", 10), ::testing::ExitedWithCode(1),
              "cannot write to standard output: No space left");
  EXPECT_EXIT(print_to("/dev/full", 100'000), ::testing::ExitedWithCode(1), "cannot write to standard output");
}

}  // namespace
}  // namespace pintle
