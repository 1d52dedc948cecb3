// SPDX-License-Identifier: Apache-2.0
// The sizes of the examples in docs/migrate-from-controller-runtime.md.
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace pintle::testkit {
namespace {

// The number of lines with code of an example, and of its CMakeLists.txt.
std::size_t lines_of(const std::string& folder) {
  std::size_t lines = 0;
  for (const char* name : {"/main.cpp", "/CMakeLists.txt"}) {
    std::ifstream file(folder + name);
    EXPECT_TRUE(file) << "run this test in the root folder of the repository";
    for (std::string line; std::getline(file, line);) {
      const std::size_t begin = line.find_first_not_of(' ');
      const bool is_comment = begin != std::string::npos && (line.compare(begin, 2, "//") == 0 || line[begin] == '#');
      // A directive of the preprocessor is code.
      const bool is_directive = begin != std::string::npos && line.compare(begin, 8, "#include") == 0;
      if (begin != std::string::npos && (!is_comment || is_directive)) ++lines;
    }
  }
  return lines;
}

TEST(CronJobExample, ThePageAboutControllerRuntimeShowsTheSizeOfTheExamples) {
  std::ifstream file("docs/migrate-from-controller-runtime.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string cron_job = std::to_string(lines_of("examples/12-cronjob"));
  const std::string memcached = std::to_string(lines_of("examples/13-memcached"));
  const std::string row = "| sum | 723 and 36 markers | " + cron_job + " | 421 and 21 markers | " + memcached + " |";
  EXPECT_NE(page.find(row), std::string::npos) << "the page must contain: " << row;
}

}  // namespace
}  // namespace pintle::testkit
